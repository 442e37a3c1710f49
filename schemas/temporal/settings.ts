import { z } from 'zod'
import { list, SECRET } from '../common/setting-parsers.ts'
import { QUEUE_KINDS } from '../processes.ts'
import { payloadKeys } from './payload-keys.ts'

export const settings = {
  /** gRPC address of the workflow engine; without it, and without a profile that names one, 127.0.0.1:7233. */
  TEMPORAL_ADDRESS: z.string().optional(),
  /** `default` unless a profile names another. */
  TEMPORAL_NAMESPACE: z.string().optional(),
  /** API key of a cluster (`TEMPORAL_API_KEY` or `TEMPORAL_API_KEY_FILE`); turns TLS on. */
  TEMPORAL_API_KEY: z.string().optional().meta(SECRET),
  TEMPORAL_TLS: z.enum(['true', 'false']).optional(),
  /** Client certificate and key, PEM, as a file or as text. */
  TEMPORAL_TLS_CLIENT_CERT_PATH: z.string().optional(),
  TEMPORAL_TLS_CLIENT_CERT_DATA: z.string().optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: z.string().optional(),
  TEMPORAL_TLS_CLIENT_KEY_DATA: z.string().optional(),
  /** Authority that signed the server's certificate; without it those of the system. */
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: z.string().optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: z.string().optional(),
  /** Name in the server's certificate, if it is not that of the address. */
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  /** Configuration file of the Temporal tools (TOML) and the profile that is read from it. */
  TEMPORAL_CONFIG_FILE: z.string().optional(),
  TEMPORAL_PROFILE: z.string().optional(),
  /** Prebuilt workflow bundle; without it the worker builds one at start. */
  WORKFLOW_BUNDLE: z.string().optional(),
  /** Worker deployment of the workflow engine whose version `BUILD_ID` the worker is; without it workers have no versions. */
  WORKER_DEPLOYMENT: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/)
    .optional(),
  /** Kinds of work whose task queues the worker takes steps from, by default all. */
  WORKER_QUEUES: z
    .string()
    .default(QUEUE_KINDS.join(','))
    .transform(list)
    .pipe(z.array(z.enum(QUEUE_KINDS)).min(1)),
  /** Keys by which payloads are encrypted in histories (`PAYLOAD_KEYS` or `PAYLOAD_KEYS_FILE`); without them payloads are plain JSON. */
  PAYLOAD_KEYS: payloadKeys,
}
