import os
import time
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from fastapi import Body, Depends, FastAPI, Header, HTTPException
from fastapi.responses import JSONResponse
from sqlalchemy import Boolean, Column, Integer, LargeBinary, Text, select, text
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP
from sqlalchemy.dialects.postgresql import UUID as Uuid
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import declarative_base, sessionmaker

# 0: each request looks its key up, as most programs of this kind do.
KEY_CACHE_SECONDS = float(os.environ["KEY_CACHE_SECONDS"])
engine = create_async_engine(os.environ["DATABASE_URL"], pool_size=10, max_overflow=0)
Session = sessionmaker(engine, class_=AsyncSession, expire_on_commit=False)
Base = declarative_base()
app = FastAPI()
known_keys: dict[str, tuple[UUID, float]] = {}
NOT_DELETED = text("deleted_at is null")
ENTER = text("select set_config('role', :role, true), set_config('app.tenant_id', :tenant, true)")


class Recipe(Base):
    __tablename__ = "recipes"
    __mapper_args__ = {"eager_defaults": True}
    id = Column(Uuid(as_uuid=True), primary_key=True, server_default=text("gen_random_uuid()"))
    tenant_id = Column(Uuid(as_uuid=True), nullable=False)
    revision = Column(Integer, server_default="1")
    is_platform_template = Column(Boolean, server_default="false")
    created_at = Column(TIMESTAMP(timezone=True), server_default=text("now()"))
    updated_at = Column(TIMESTAMP(timezone=True), server_default=text("now()"))
    name = Column(Text, nullable=False)
    description, system_prompt, manifest_id = Column(Text), Column(Text), Column(Text)
    hosting_mode = Column(Text, server_default="dedicated")
    shared_node_capacity = Column(Integer, server_default="50")
    is_active = Column(Boolean, server_default="true")
    source_instance_id = Column(Uuid(as_uuid=True))
    onboarding_flow_id, rules_template_id = Column(Uuid(as_uuid=True)), Column(Uuid(as_uuid=True))
    approval_rules, channel_config, compliance_config = Column(JSONB), Column(JSONB), Column(JSONB)
    data_access, model_policy, module_config, voice_config = Column(JSONB), Column(JSONB), Column(JSONB), Column(JSONB)
    channel_types, connection_requirements = Column(JSONB, server_default="[]"), Column(JSONB, server_default="[]")
    mcp_servers, skills = Column(JSONB, server_default="[]"), Column(JSONB, server_default="[]")
    trigger_templates = Column(JSONB)
    workflow_slugs, sidecars = Column(JSONB, server_default="[]"), Column(JSONB, server_default="[]")


class ApiKey(Base):
    __tablename__ = "api_keys"
    id = Column(Uuid(as_uuid=True), primary_key=True)
    tenant_id = Column(Uuid(as_uuid=True))
    key_hash = Column(LargeBinary)
    revoked_at = Column(TIMESTAMP(timezone=True))


COLUMNS = [column.name for column in Recipe.__table__.columns]


def written(value):
    if isinstance(value, UUID):
        return str(value)
    return value.isoformat() if isinstance(value, datetime) else value


def shown(recipe: Recipe) -> dict:
    return {name: written(getattr(recipe, name)) for name in COLUMNS}


async def current_tenant(x_api_key: str = Header()) -> UUID:
    tenant, until = known_keys.get(x_api_key, (None, 0))
    if until > time.monotonic():
        return tenant
    async with Session.begin() as session:
        await session.execute(ENTER, {"role": "acp_system", "tenant": ""})
        key_hash = sha256(x_api_key.encode()).digest()
        query = select(ApiKey.tenant_id).where(ApiKey.key_hash == key_hash, ApiKey.revoked_at.is_(None))
        tenant = (await session.execute(query)).scalar_one_or_none()
    if tenant is None:
        raise HTTPException(401)
    if KEY_CACHE_SECONDS > 0:
        known_keys[x_api_key] = (tenant, time.monotonic() + KEY_CACHE_SECONDS)
    return tenant


async def enter(session: AsyncSession, tenant: UUID) -> None:
    await session.execute(ENTER, {"role": "acp_tenant", "tenant": str(tenant)})


@app.get("/v1/recipes")
async def list_recipes(tenant: UUID = Depends(current_tenant)):
    async with Session.begin() as session:
        await enter(session, tenant)
        order = Recipe.is_platform_template, Recipe.created_at.desc(), Recipe.id
        recipes = (await session.execute(select(Recipe).where(NOT_DELETED).order_by(*order))).scalars().all()
    return JSONResponse([shown(recipe) for recipe in recipes])


@app.get("/v1/recipes/{recipe_id}")
async def get_recipe(recipe_id: UUID, tenant: UUID = Depends(current_tenant)):
    async with Session.begin() as session:
        await enter(session, tenant)
        query = select(Recipe).where(Recipe.id == recipe_id, NOT_DELETED)
        recipe = (await session.execute(query)).scalar_one_or_none()
    if recipe is None:
        raise HTTPException(404)
    return JSONResponse(shown(recipe))


@app.post("/v1/recipes", status_code=201)
async def create_recipe(body: dict = Body(), tenant: UUID = Depends(current_tenant)):
    async with Session.begin() as session:
        await enter(session, tenant)
        recipe = Recipe(**body, tenant_id=tenant)
        session.add(recipe)
    return JSONResponse(shown(recipe), status_code=201)
