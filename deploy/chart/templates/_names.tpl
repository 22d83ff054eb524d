{{- define "acp.runtimes" -}}
{{ .Release.Name }}-runtimes
{{- end }}

{{- define "acp.namespace" -}}
{{- $namespace := .Values.runtime.namespace | default (include "acp.runtimes" .) -}}
{{- if eq $namespace .Release.Namespace }}
{{- fail "runtime.namespace has to be another one than the release's: what runs there reaches the service and nothing else" }}
{{- end -}}
{{ $namespace }}
{{- end }}

{{- define "acp.selector" -}}
app.kubernetes.io/name: agent-control-plane
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "acp.labels" -}}
{{ include "acp.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* Of a list: the image, and the tag where it names none. */}}
{{- define "acp.image" -}}
{{- $image := index . 0 -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default (index . 1) }}
{{- end -}}
{{- end }}

{{- define "acp.secret" -}}
{{ required "existingSecret is required: the name of a Secret with DATABASE_URL, MASTER_KEY and OPERATIONS_TOKEN" .Values.existingSecret }}
{{- end }}
