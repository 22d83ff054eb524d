/** Identifies the original request, through jobs, runtimes and the channel's send API. */
export interface Trace {
  request_id?: string | undefined;
  /** A W3C Trace Context header. */
  traceparent?: string | undefined;
}

export interface SpanStart {
  name: string;
  kind: 'server' | 'consumer' | 'client';
  /** undefined: begins a trace. */
  parent: string | undefined;
  attributes?: Readonly<Record<string, string>>;
}

export interface OpenSpan {
  /** For calls. */
  readonly traceparent: string | undefined;
  end(result?: { error?: string | undefined; attributes?: Readonly<Record<string, string | number>> }): void;
}

export interface Tracing {
  readonly isOn: boolean;
  begin(span: SpanStart): OpenSpan;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}

/** Without an exporter, traceparent is forwarded unchanged. */
export const noTracing: Tracing = {
  isOn: false,
  begin: ({ parent }) => ({ traceparent: parent, end: () => {} }),
  close: () => Promise.resolve(),
};

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** undefined for other versions than 00. */
export const readTraceparent = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;

export const traceHeaders = ({ request_id, traceparent }: Trace = {}): Record<string, string> => ({
  ...(request_id !== undefined && { 'x-request-id': request_id }),
  ...(traceparent !== undefined && { traceparent }),
});

/**
 * Creates a span of the job, and within it one of the call.
 * @param failureOf the error in a result
 */
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
