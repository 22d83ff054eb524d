/** Names the request that something began with. It travels through jobs, runtimes and the channel's send API. */
export interface Trace {
  request_id?: string | undefined;
  /** W3C Trace Context, as a header. */
  traceparent?: string | undefined;
}

/** A part of a trace. */
export interface SpanStart {
  name: string;
  kind: 'server' | 'consumer' | 'client';
  /** The span that it belongs to; undefined: it begins a trace. */
  parent: string | undefined;
  attributes?: Readonly<Record<string, string>>;
}

export interface OpenSpan {
  /** The header that calls hand on. */
  readonly traceparent: string | undefined;
  end(result?: { error?: string | undefined; attributes?: Readonly<Record<string, string | number>> }): void;
}

/** Exports spans, or nothing. */
export interface Tracing {
  readonly isOn: boolean;
  begin(span: SpanStart): OpenSpan;
  /** Exports what is left. */
  close(): Promise<void>;
}

/** Without an exporter: what came is handed on as it is. */
export const noTracing: Tracing = {
  isOn: false,
  begin: ({ parent }) => ({ traceparent: parent, end: () => {} }),
  close: () => Promise.resolve(),
};

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** A header that is no traceparent of version 00 is none. */
export const readTraceparent = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;

/** The headers of a call that belongs to a trace. */
export const traceHeaders = ({ request_id, traceparent }: Trace = {}): Record<string, string> => ({
  ...(request_id !== undefined && { 'x-request-id': request_id }),
  ...(traceparent !== undefined && { traceparent }),
});

/** A job's call: a span of the job, and within it one of the call. `failureOf` tells from the result why it failed. */
export async function traceCall<T>(
  tracing: Tracing,
  names: { job: string; call: string; attributes: Readonly<Record<string, string>> },
  trace: Trace | undefined,
  call: (trace: Trace) => Promise<T>,
  failureOf: (result: T) => string | undefined,
): Promise<T> {
  const { attributes } = names;
  const job = tracing.begin({ name: names.job, kind: 'consumer', parent: trace?.traceparent, attributes });
  const span = tracing.begin({ name: names.call, kind: 'client', parent: job.traceparent, attributes });
  let error: string | undefined = 'failed';
  try {
    const result = await call({ request_id: trace?.request_id, traceparent: span.traceparent });
    error = failureOf(result);
    return result;
  } finally {
    span.end({ error });
    job.end({ error });
  }
}
