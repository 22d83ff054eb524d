import {
  type Attributes,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../config.ts';
import type { Log } from '../platform/ports.ts';
import type { OpenSpan, SpanStart, Tracing } from '../platform/tracing.ts';

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };
const CLOSE_WITHIN_MS = 1000;

interface OpenTelemetryOptions extends TracingSettings {
  version: string;
}

/** Exports spans as OTLP over HTTP. The library itself reads its exporter's environment variables. */
export class OpenTelemetryTracing implements Tracing {
  readonly isOn = true;
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  constructor(options: OpenTelemetryOptions, log: Log) {
    const { service_name, version, delay_ms } = options;
    const named = resourceFromAttributes({ 'service.name': service_name, 'service.version': version });
    this.#provider = new TracerProvider({
      // Reads OTEL_RESOURCE_ATTRIBUTES.
      resource: named.merge(detectResources({ detectors: [envDetector] })),
      sampler: samplerOf(options),
      spanProcessors: [
        new BatchSpanProcessor({ exporter: exporterWith(log), scheduledDelayMillis: delay_ms }),
      ],
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

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const kind = sampler.replace('parentbased_', '');
  const others: Record<string, Sampler> = {
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(ratio),
  };
  const root = others[kind] ?? new AlwaysOnSampler();
  return kind === sampler ? root : new ParentBasedSampler({ root });
}

/** Logs failures, because the library silently drops spans that it cannot send. */
function exporterWith(log: Log): SpanExporter {
  const exporter = new OTLPTraceExporter();
  let isAway = false;
  const logChange = (error: Error | undefined) => {
    if (error && !isAway)
      log.warn({ error: error.message }, 'traces cannot be exported: spans are lost meanwhile');
    if (!error && isAway) log.info({}, 'traces are exported again');
    isAway = error !== undefined;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        logChange(result.error);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

function contextOf(traceparent: string) {
  const [, traceId = '', spanId = '', flags = '0'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
