import { join } from 'node:path';
import type { Contestant } from './contestant.ts';
import { PEERS, type PeerProgram, peer } from './peer.ts';

/**
 * Once with a look-up of the key for each request, as usual, and once with the key cached for a second, as in the
 * service.
 */
const twice = ({ name, launch, ...program }: PeerProgram): readonly Contestant[] =>
  [
    { suffix: '', KEY_CACHE_SECONDS: '0' },
    { suffix: '-key-cache', KEY_CACHE_SECONDS: '1' },
  ].map(({ suffix, KEY_CACHE_SECONDS }) =>
    peer({
      ...program,
      name: name + suffix,
      launch: (port, world) => {
        const { environment, ...rest } = launch(port, world);
        return { ...rest, environment: { ...environment, KEY_CACHE_SECONDS } };
      },
    }),
  );

const node = (folder: string) => {
  const cwd = join(PEERS, folder);
  return twice({
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

const fastapiHome = join(PEERS, 'fastapi-sqlalchemy');

/** One process per core of the usual machine. */
const fastapi = twice({
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

export const programs: readonly Contestant[] = [
  ...node('nestjs-typeorm'),
  ...node('express-prisma'),
  ...fastapi,
];
