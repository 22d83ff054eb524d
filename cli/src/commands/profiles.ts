import type { Cli } from '../cli.ts';
import { usageError } from '../errors.ts';
import { type Profile, ProfileStore } from '../profiles.ts';
import type { Program } from '../program.ts';

export function addProfiles(program: Program, cli: Cli): void {
  const profiles = program.command('profiles').description('the saved servers and logins');
  const { output } = cli;

  profiles
    .command('list')
    .description('list profiles, without their credentials')
    .action(async () => {
      const known = await new ProfileStore(cli.env).read();
      const rows = Object.entries(known.profiles).map(([name, profile]) => ({
        name,
        current: name === known.current,
        url: profile.url,
        kind: kindOf(profile),
        email: profile.email ?? null,
      }));
      output.answer(rows, () =>
        output.table(
          [
            ['', ({ current }) => (current ? '*' : '')],
            ['NAME', ({ name }) => name],
            ['SERVER', ({ url }) => url, 'flexible'],
            ['KIND', ({ kind }) => kind],
            ['E-MAIL', ({ email }) => email, 'flexible'],
          ],
          rows,
        ),
      );
    });

  profiles
    .command('use')
    .description('choose the profile to use when none is named')
    .argument('<profile>')
    .action(async (name) => {
      await new ProfileStore(cli.env).change(async (known) => {
        if (!Object.hasOwn(known.profiles, name))
          throw usageError(`there is no profile ${JSON.stringify(name)}`);
        return { profiles: { ...known, current: name }, result: undefined };
      });
      output.note(`profile ${name} is now in use`);
    });
}

const kindOf = ({ api_key }: Profile) => (api_key ? 'API key' : 'login');
