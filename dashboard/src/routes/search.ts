import { stringifySearchWith } from '@tanstack/react-router';

type Search = Record<string, unknown>;
type Texts<Name extends string> = { [N in Name]?: string };
type Numbers<Name extends string> = { [N in Name]?: number };

/**
 * The query of an address, as people read and write it. The router by itself reads `?search=61400000001` and
 * `?expiring=true` as JSON, and quotes such texts where it writes them.
 */
export const parseSearch = (query: string): Search => Object.fromEntries(new URLSearchParams(query));
export const stringifySearch = stringifySearchWith(String);

/** Keeps the named texts of an address's query; everything else is dropped. */
export const texts =
  <const Name extends string>(...names: Name[]) =>
  (search: Search): Texts<Name> =>
    Object.fromEntries(
      names.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
    ) as Texts<Name>;

/** Keeps the named whole numbers of at least `least`. Links pass numbers, and addresses have texts. */
export const numbers =
  <const Name extends string>(least: number, ...names: Name[]) =>
  (search: Search): Numbers<Name> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = String(search[name]);
        return /^\d{1,9}$/.test(text) && Number(text) >= least ? [[name, Number(text)]] : [];
      }),
    ) as Numbers<Name>;

/** Texts, and the number of a list's page. */
export const list =
  <const Name extends string>(...names: Name[]) =>
  (search: Search): Texts<Name> & { page?: number } => ({
    ...texts(...names)(search),
    ...numbers(2, 'page')(search),
  });
