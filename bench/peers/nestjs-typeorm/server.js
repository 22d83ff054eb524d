import 'reflect-metadata';
import { createHash } from 'node:crypto';
import {
  Body,
  Controller,
  Get,
  Module,
  NotFoundException,
  Param,
  Post,
  Req,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pino from 'pino';
import { pinoHttp } from 'pino-http';
import { DataSource, IsNull } from 'typeorm';
import { apiKeys } from '../api-keys.js';
import { requestLog, standardOutput } from '../request-log.js';
import { ApiKey, Recipe } from './recipe.js';

const database = await new DataSource({
  type: 'postgres',
  url: process.env.DATABASE_URL,
  entities: [Recipe, ApiKey],
  poolSize: 10,
}).initialize();

/** One transaction in a role and, where one is given, in a tenant. */
const within = (role, tenant, work) =>
  database.transaction(async (manager) => {
    await manager.query(`select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`, [
      role,
      tenant,
    ]);
    return work(manager);
  });

const tenantOf = apiKeys(
  (key_hash) =>
    within('acp_system', '', async (manager) => {
      const key = await manager.getRepository(ApiKey).findOneBy({ key_hash, revoked_at: IsNull() });
      return key?.tenant_id;
    }),
  (key) => createHash('sha256').update(key).digest(),
);

class KeyGuard {
  async canActivate(context) {
    const request = context.switchToHttp().getRequest();
    request.tenant = await tenantOf(request.headers['x-api-key'] ?? '');
    if (!request.tenant) throw new UnauthorizedException();
    return true;
  }
}

class Recipes {
  list(request) {
    return within('acp_tenant', request.tenant, (manager) =>
      manager
        .getRepository(Recipe)
        .find({ order: { is_platform_template: 'ASC', created_at: 'DESC', id: 'ASC' } }),
    );
  }

  async get(request, id) {
    const recipe = await within('acp_tenant', request.tenant, (manager) =>
      manager.getRepository(Recipe).findOneBy({ id }),
    );
    if (!recipe) throw new NotFoundException();
    return recipe;
  }

  create(request, body) {
    return within('acp_tenant', request.tenant, (manager) => {
      const repository = manager.getRepository(Recipe);
      return repository.save(repository.create({ ...body, tenant_id: request.tenant }));
    });
  }
}

/** What TypeScript makes of @decorators, for a program that is run as it stands. */
function decorate(method, route, ...parameters) {
  route(Recipes.prototype, method, Object.getOwnPropertyDescriptor(Recipes.prototype, method));
  for (const [index, parameter] of parameters.entries()) parameter(Recipes.prototype, method, index);
}
decorate('list', Get(), Req());
decorate('get', Get(':id'), Req(), Param('id'));
decorate('create', Post(), Req(), Body());
UseGuards(new KeyGuard())(Recipes);
Controller('v1/recipes')(Recipes);

function App() {}
Module({ controllers: [Recipes] })(App);

const app = await NestFactory.create(App, { logger: ['error', 'warn'] });
app.use(pinoHttp(requestLog, pino.destination(standardOutput)));
await app.listen(Number(process.env.PORT), '127.0.0.1');
