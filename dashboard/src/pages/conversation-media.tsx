import type { Media, Message } from '@agent-control-plane/sdk';
import { useEffect, useRef, useState } from 'react';
import { operation, queryClient, useRead } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { bytes } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { refusalOf } from '../ui/notice.tsx';
import { saveFile } from '../ui/save-file.ts';
import { useSeen } from '../ui/seen.ts';
import style from './transcript.module.css';

interface MediaProps {
  media: readonly Media[];
  conversation_id: string;
}

export const MediaOf = ({ media, conversation_id }: MediaProps) =>
  media.map((each) => <Attached key={each.id} of={each} conversation_id={conversation_id} />);

/** For where messages are shown without a page of their own. */
export const filesOf = ({ media, conversation_id }: Message) => (
  <MediaOf media={media} conversation_id={conversation_id} />
);

interface AttachedProps {
  of: Media;
  conversation_id: string;
}

/** Types that a browser shows without running anything. */
const PICTURE = /^image\/(?:png|jpeg|webp|gif|avif)$/;
const SOUND = /^audio\//;

function Attached({ of: media, conversation_id }: AttachedProps) {
  const type = media.mime_type ?? '';
  const [main = ''] = type.split(';');
  if (PICTURE.test(main) || SOUND.test(main)) return <Shown of={media} conversation_id={conversation_id} />;
  return <File of={media} conversation_id={conversation_id} />;
}

function nameOf({ filename, mime_type }: Media): string {
  if (filename !== undefined) return visible(filename);
  const type = mime_type ?? '';
  if (PICTURE.test(type)) return 'a picture';
  return SOUND.test(type) ? 'a recording' : `a file (${visible(type || 'of unknown type')})`;
}

/** Read once it comes near the screen, with the session's token: as a blob. */
function Shown({ of: media, conversation_id }: AttachedProps) {
  const figure = useRef<HTMLElement>(null);
  const isSeen = useSeen(figure);
  const path = { conversation_id, media_id: media.id };
  const { data, error } = useRead('get_conversation_media', { path }, { enabled: isSeen, fixed: true });
  const url = useBlobUrl(data, media.mime_type ?? '');
  const isSound = SOUND.test(media.mime_type ?? '');
  return (
    <figure ref={figure} className={style.media}>
      {isSound ? (
        <audio controls src={url} aria-label={nameOf(media)}>
          <track kind="captions" />
        </audio>
      ) : url === undefined ? (
        <div className={style.place}>
          {error ? <span className="hint">{refusalOf(error).words}</span> : <Icon name="file" />}
        </div>
      ) : (
        <a href={url} target="_blank" rel="noopener" aria-label={`Open ${nameOf(media)}`}>
          <img src={url} alt={`From the sender: ${nameOf(media)}`} />
        </a>
      )}
      <figcaption className="hint">
        {nameOf(media)}
        {media.size !== null && ` · ${bytes(media.size)}`}
      </figcaption>
    </figure>
  );
}

function useBlobUrl(data: unknown, type: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!(data instanceof Uint8Array)) return undefined;
    const made = URL.createObjectURL(new Blob([data.slice()], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data, type]);
  return url;
}

/** Everything else is a download, and never opens in the pages' own origin. */
function File({ of: media, conversation_id }: AttachedProps) {
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    setError(undefined);
    try {
      const path = { conversation_id, media_id: media.id };
      const data: unknown = await queryClient.fetchQuery(operation('get_conversation_media', { path }));
      if (data instanceof Uint8Array)
        saveFile(media.filename ?? 'attachment', data.slice(), 'application/octet-stream');
    } catch (failed) {
      setError(failed);
    } finally {
      setPending(false);
    }
  };
  return (
    <div className={style.file}>
      <Button icon="download" pending={pending} onClick={() => void save()}>
        <span className="one">{nameOf(media)}</span>
        {media.size !== null && <span className="hint">{bytes(media.size)}</span>}
      </Button>
      {error ? <span className="hint bad">{refusalOf(error).words}</span> : null}
    </div>
  );
}
