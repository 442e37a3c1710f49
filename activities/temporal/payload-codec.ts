import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Payload, PayloadCodec } from '@temporalio/common'
import proto from '@temporalio/proto'
import { SettingsError } from '../../schemas/settings-error.ts'
import type { PayloadKey } from '../../schemas/temporal/payload-keys.ts'

const { Payload: PayloadMessage } = proto.temporal.api.common.v1

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Name of the encoding in the metadata of a payload; that of the samples of the SDKs. */
export const ENCRYPTED = 'binary/encrypted'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString()

const encrypt = ({ id, key }: PayloadKey, payload: Payload): Payload => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bytesOf(id))
  const sealed = [nonce, cipher.update(PayloadMessage.encode(payload).finish()), cipher.final(), cipher.getAuthTag()]
  return { metadata: { encoding: bytesOf(ENCRYPTED), 'encryption-key-id': bytesOf(id) }, data: new Uint8Array(Buffer.concat(sealed)) }
}

const decrypt = ({ id, key }: PayloadKey, data: Uint8Array): Payload => {
  const decipher = createDecipheriv(CIPHER, key, data.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(bytesOf(id))
    .setAuthTag(data.subarray(-TAG_BYTES))
  const opened = Buffer.concat([decipher.update(data.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  return PayloadMessage.decode(new Uint8Array(opened))
}

/**
 * Encrypts each payload with the first key, and decrypts those of every key. Without keys it encrypts nothing. A payload that another one of
 * these keys did not seal stays as it is: its reader takes it as unreadable. Throws for an unknown key, so that a task waits for the operator
 * instead of going on without its data.
 */
export const encryptedPayloads = (keys: readonly PayloadKey[]): PayloadCodec => {
  const [first] = keys
  const decode = (payload: Payload): Payload => {
    const { metadata, data } = payload
    if (textOf(metadata?.encoding) !== ENCRYPTED) return payload
    const id = textOf(metadata?.['encryption-key-id'])
    const found = keys.find((key) => key.id === id)
    if (found === undefined)
      throw new SettingsError([`PAYLOAD_KEYS: has no key ${JSON.stringify(id.slice(0, 64))}, which encrypted a payload`])
    try {
      return decrypt(found, data ?? new Uint8Array())
    } catch {
      return payload
    }
  }
  return {
    encode: async (payloads) => (first === undefined ? payloads : payloads.map((payload) => encrypt(first, payload))),
    decode: async (payloads) => payloads.map(decode),
  }
}
