import type { Payload } from '@temporalio/common'
import type { Answer, HandlersOf } from '../../schemas/operations/operation.ts'
import type * as temporalOperations from '../../schemas/temporal/operations.ts'
import type { ApiDeps } from '../deps.ts'

type PayloadJson = Answer<typeof temporalOperations.convertPayloads>['body']['payloads'][number]

const payloadOf = ({ metadata, data }: PayloadJson): Payload => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64')])),
  data: Buffer.from(data ?? '', 'base64'),
})

const jsonOf = ({ metadata, data }: Payload): PayloadJson => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')])),
  data: Buffer.from(data ?? []).toString('base64'),
})

/** Payloads of histories, for the UI of the workflow engine. */
export const createTemporalHandlers = ({ payloadCodec }: Pick<ApiDeps, 'payloadCodec'>): HandlersOf<typeof temporalOperations> => ({
  convertPayloads: async ({ body: { direction, payloads } }) => {
    const convert = async (payload: PayloadJson): Promise<PayloadJson> => {
      const converted = await payloadCodec[direction]([payloadOf(payload)]).catch(() => null)
      return converted?.[0] === undefined ? payload : jsonOf(converted[0])
    }
    return { status: 200, body: { payloads: await Promise.all(payloads.map(convert)) } }
  },
})
