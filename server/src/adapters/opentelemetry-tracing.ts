import {
  type Attributes,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { OpenSpan, SpanStart, Tracing } from '../platform/tracing.ts';

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };
const CLOSE_WITHIN_MS = 1000;

export interface OpenTelemetryOptions {
  service_name: string;
  version: string;
}

/** Exports spans as OTLP over HTTP. The library reads the other OTEL_… variables itself. */
export class OpenTelemetryTracing implements Tracing {
  readonly isOn = true;
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  constructor({ service_name, version }: OpenTelemetryOptions) {
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service_name, 'service.version': version }),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    });
    this.#tracer = this.#provider.getTracer('agent-control-plane', version);
  }

  begin({ name, kind, parent, attributes = {} }: SpanStart): OpenSpan {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      end: ({ error, attributes: found = {} } = {}) => {
        span.setAttributes(found satisfies Attributes);
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
        span.end();
      },
    };
  }

  async close(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref());
    await Promise.race([this.#provider.shutdown().catch(() => {}), late]);
  }
}

function contextOf(traceparent: string) {
  const [, traceId = '', spanId = '', flags = '0'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
