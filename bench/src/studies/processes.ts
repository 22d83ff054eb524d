import { recipeId } from '../data.ts';
import { restDialect } from '../dialect.ts';
import { wrk } from '../load/wrk.ts';
import { figure, row } from '../report.ts';
import { startService } from '../service.ts';
import { median } from '../statistics.ts';
import type { Study } from './study.ts';

const CONNECTIONS = [10, 64];

export const processes: Study = {
  name: 'processes',
  title: 'Get one recipe from one and from two processes on one database',
  run: async (world, { repeats, seconds }) => {
    const second = await startService(world.installation, 'second');
    try {
      const tenants = Array.from({ length: world.readers }, (_, index) => 1 + index);
      const calls = tenants.map((tenant) => restDialect.getRecipe(tenant, recipeId(tenant, 3)));
      const ask = async (base_url: string, connections: number, duration = seconds) =>
        (
          await wrk({
            base_url,
            calls,
            once: false,
            connections,
            seconds: duration,
            directory: world.directory,
          })
        ).requests_per_s;
      await ask(second.base_url, 10, 2);
      const lines: string[] = [];
      for (const connections of CONNECTIONS) {
        const [one, ratios]: [number[], number[]] = [[], []];
        for (let repeat = 0; repeat < repeats; repeat++) {
          const single = await ask(world.service.base_url, connections);
          const halves = [world.service, second].map(({ base_url }) => ask(base_url, connections / 2));
          const both = (await Promise.all(halves)).reduce((sum, rate) => sum + rate, 0);
          one.push(single);
          ratios.push(both / single);
        }
        lines.push(row([String(connections), figure(median(one)), figure(median(ratios))]));
      }
      return ['| connections | one: requests/s | two ÷ one |', '| --: | --: | --: |', ...lines];
    } finally {
      await second.stop();
    }
  },
};
