import { join } from 'node:path';
import { PEERS, peer } from './peer.ts';

const node = (folder: string) => {
  const cwd = join(PEERS, folder);
  return peer({
    name: folder,
    needs: join(cwd, 'node_modules'),
    install: 'npm run peers -w bench',
    launch: (port, { peer_url }) => ({
      command: process.execPath,
      args: ['server.js'],
      cwd,
      environment: { NODE_ENV: 'production', DATABASE_URL: peer_url, PORT: String(port) },
    }),
  });
};

export const nest = node('nestjs-typeorm');
export const express = node('express-prisma');

const fastapiHome = join(PEERS, 'fastapi-sqlalchemy');

/** Two processes: one for each core that this is usually measured on. */
export const fastapi = peer({
  name: 'fastapi-sqlalchemy',
  needs: '/usr/lib/python3/dist-packages/asyncpg',
  install:
    'apt-get install python3-fastapi python3-sqlalchemy python3-asyncpg uvicorn python3-uvloop python3-httptools',
  launch: (port, { peer_url }) => ({
    command: '/usr/bin/python3',
    args: `-m uvicorn server:app --host 127.0.0.1 --port ${port} --workers 2 --log-level info`.split(' '),
    cwd: fastapiHome,
    environment: {
      DATABASE_URL: peer_url.replace('postgres://', 'postgresql+asyncpg://'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  }),
});
