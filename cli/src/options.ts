import { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings';

export const wholeNumber = (least: number, most: number) => (text: string) => {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  }
  return number;
};

/** In a path, an empty text or dots would address another resource. */
function readId(text: string): string {
  if (['', '.', '..'].includes(text)) throw new InvalidArgumentError('It is not an id.');
  return text;
}

export const gather = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text];

export const idArgument = <const Name extends string>(name: Name, description: string) =>
  new Argument(name, description).argParser(readId);

export const pageOption = () =>
  new Option('--page <number>', 'the page to show').argParser(wholeNumber(1, 2_147_483_647));
export const perPageOption = () =>
  new Option('--per-page <number>', 'rows per page, at most 100').argParser(wholeNumber(1, 100));
export const allOption = () =>
  new Option('--all', 'all rows; with --json, one per line').conflicts(['page', 'perPage']);

export const customerArgument = () => new Argument('<customer>', 'id, e-mail address or company name');
export const optionalCustomerArgument = () =>
  new Argument('[customer]', 'id, e-mail address or company name');
export const instanceArgument = () => new Argument('<instance>', 'id or hostname');
export const personArgument = () => new Argument('<person>', 'id, name or external id');
export const channelOption = () =>
  new Option('--channel <channel>', 'the channel of the address').default('chatapp');

export const fileOption = (what: string) =>
  new Option('-f, --file <path>', `${what}, YAML or JSON; - is standard input`).makeOptionMandatory();

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOSTNAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, 'i');

/** The API takes any text; a typing error would stay with the instance. */
export const hostnameOption = () =>
  new Option('--hostname <name>', 'the agent’s hostname').argParser((text) => {
    if (!HOSTNAME.test(text)) throw new InvalidArgumentError('It is not a hostname.');
    return text;
  });
