{{- /* Settings that follow from other values, as JSON. values.schema.json keeps them out of settings. */}}
{{- define "acp.ownSettings" -}}
{{- $runtime := .Values.runtime -}}
{{- $pods := dict "service_account" (include "acp.runtimes" .) -}}
{{- with $runtime.runtimeClassName }}{{ $_ := set $pods "runtime_class" . }}{{ end -}}
{{- with $runtime.nodeSelector }}{{ $_ := set $pods "node_selector" . }}{{ end -}}
{{- with $runtime.tolerations }}{{ $_ := set $pods "tolerations" . }}{{ end -}}
{{- $policies := dict "IfNotPresent" "missing" "Always" "always" "Never" "never" -}}
{{- $settings := dict
  "ACP_URL" "http://127.0.0.1:8080"
  "PROVISIONER" "kubernetes"
  "HOST" "0.0.0.0"
  "PORT" "8080"
  "MTLS_PORT" "8443"
  "DATA_DIR" "/data"
  "DRAIN_SECONDS" (toString .Values.drainSeconds)
  "KUBERNETES_NAMESPACE" (include "acp.namespace" .)
  "KUBERNETES_POD_OPTIONS" (toJson $pods)
  "MTLS_PUBLIC_URL" (printf "https://%s.%s.svc:8443" (include "acp.runtimes" .) .Release.Namespace)
  "RUNTIME_IMAGE" (include "acp.image" (list $runtime.image .Chart.AppVersion))
  "RUNTIME_PULL_POLICY" (get $policies $runtime.image.pullPolicy)
-}}
{{- with .Values.forwardedForProxies }}{{ $_ := set $settings "FORWARDED_FOR_PROXIES" (join "," .) }}{{ end -}}
{{- if not .Values.data.existingClaim }}{{ $_ := set $settings "DRIVE_FILESYSTEM_ROOT" "off" }}{{ end -}}
{{- with .Values.ingress -}}
{{- if .enabled }}{{ $_ := set $settings "PUBLIC_URL" (printf "http%s://%s" (ternary "s" "" (ne .tlsSecret "")) .host) }}{{ end -}}
{{- end -}}
{{- toJson $settings -}}
{{- end }}

{{- /* Helm reads numbers as floating ones, and Kubernetes replaces $(NAME). */}}
{{- define "acp.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ toString . | replace "$(" "$$(" }}{{ end -}}
{{- end }}

{{- /* Of the service and of the program that migrates. A key that the Secret lacks keeps the pod from starting, and says so. */}}
{{- define "acp.environment" -}}
envFrom:
  - secretRef:
      name: {{ include "acp.secret" . }}
env:
  {{- range list "DATABASE_URL" "MASTER_KEY" "OPERATIONS_TOKEN" }}
  - name: {{ . }}
    valueFrom:
      secretKeyRef:
        name: {{ include "acp.secret" $ }}
        key: {{ . }}
  {{- end }}
  # For agentctl inside.
  - name: ACP_OPERATIONS_TOKEN
    valueFrom:
      secretKeyRef:
        name: {{ include "acp.secret" . }}
        key: OPERATIONS_TOKEN
  {{- range $name, $value := merge (dict) .Values.settings (include "acp.ownSettings" . | fromJson) }}
  - name: {{ $name }}
    value: {{ include "acp.text" $value | quote }}
  {{- end }}
{{- end }}
