import { z } from 'zod'
import { ADMIN, operation } from '../operations/operation.ts'

/** Half a MiB as base64, which is the largest payload of the service, with room for its siblings. */
const PAYLOADS_BYTES = 1024 * 1024
/** Payloads that one event of a history may have, and more. */
const MOST_PAYLOADS = 200

/** A payload as the workflow engine shows it: a Payload message of its protocol as JSON. */
const PAYLOAD = {
  metadata: z.record(z.string().max(64), z.base64().max(4_096)).optional().describe('Values in base64; `encoding` says what the data is.'),
  data: z.base64().optional().describe('Bytes of the payload in base64.'),
}

export const convertPayloads = operation('convertPayloads', 'POST /admin/payloads', {
  summary: 'Decrypt payloads of histories for the UI of the workflow engine, or encrypt what it sends.',
  description:
    'Without `PAYLOAD_KEYS`, and for a payload of an unknown key, the answer has the payload as it came. The console serves this to the UI as its codec server.',
  ...ADMIN,
  capability: 'jobs:timeline',
  bodyLimitBytes: PAYLOADS_BYTES,
  body: z.strictObject({
    direction: z.enum(['decode', 'encode']),
    payloads: z.array(z.strictObject(PAYLOAD)).max(MOST_PAYLOADS),
  }),
  responses: { 200: z.object({ payloads: z.array(z.object(PAYLOAD)) }) },
  examples: {
    body: {
      direction: 'decode',
      payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'eyJ2IjoxfQ==' }],
    },
  },
})
