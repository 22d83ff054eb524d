import { LRUCache, type Perf } from 'lru-cache';
import { at } from './json.ts';
import { errorName, type Log } from './log.ts';
import type { Situation } from './tools/tool.ts';

const cacheTtlMs = 60_000;
const maxCustomers = 1000;
const fetchTimeoutMs = 15_000;
/** For all pictures: as base64, with the rest of the conversation, they fit into a request of the gateway. */
const maxBytes = 5 * 1024 * 1024;
/** All vision models accept these formats. */
const pictureType = /^image\/(?:jpeg|png|webp|gif)(?=;|$)/;
/** In the `capabilities` of a model in the catalogue. */
const vision = 'vision';

/** The pictures of a message as data URLs; empty for a model without vision. Never throws. */
export type LoadPictures = (
  situation: Pick<Situation, 'controlPlane' | 'message'>,
) => Promise<readonly string[]>;

/** Only the gateway knows the capabilities of its models. */
export function createLoadPictures(
  log: Log,
  perf: Perf,
  secretsVersion: () => number,
  isGateway: boolean,
): LoadPictures {
  const visionByCustomer = new LRUCache<string, boolean>({
    max: maxCustomers,
    ttl: cacheTtlMs,
    ttlResolution: 0,
    perf,
  });

  async function hasVision({
    controlPlane,
    message: { customer_id },
  }: Parameters<LoadPictures>[0]): Promise<boolean> {
    const key = `${secretsVersion()} ${customer_id}`;
    const known = visionByCustomer.get(key);
    if (known !== undefined) return known;
    const models = at(await controlPlane('GET', '/llm/models', { query: { customer_id } }), 'data');
    const capabilities = Array.isArray(models) ? at(models[0], 'capabilities') : undefined;
    const canSee = Array.isArray(capabilities) && capabilities.includes(vision);
    visionByCustomer.set(key, canSee);
    return canSee;
  }

  return async (situation) => {
    const { controlPlane, message } = situation;
    const pictures = message.media.filter(({ mime_type }) => pictureType.test(mime_type));
    const shown: string[] = [];
    let left = maxBytes;
    try {
      if (!isGateway || pictures.length === 0 || !(await hasVision(situation))) return [];
      for (const { id, mime_type, size } of pictures) {
        if ((size ?? 0) > left) continue;
        const options = { isBinary: true, timeoutMs: fetchTimeoutMs } as const;
        const bytes = await controlPlane('GET', `/media/${encodeURIComponent(id)}`, options);
        if (!Buffer.isBuffer(bytes) || bytes.length > left) continue;
        left -= bytes.length;
        shown.push(`data:${pictureType.exec(mime_type)?.[0]};base64,${bytes.toString('base64')}`);
      }
    } catch (error) {
      log.warn('picture_not_seen', { message_id: message.message_id, error: errorName(error) });
    }
    return shown;
  };
}
