import { z } from 'zod'
import { list, SECRET } from '../common/setting-parsers.ts'

/** A key of payloads in the histories of the workflow engine. */
export interface PayloadKey {
  /** Stands beside each payload that the key encrypted. */
  id: string
  /** 32 bytes. */
  key: Uint8Array
}

const KEY = /^(?<id>[A-Za-z0-9._-]{1,64}):(?<key>[A-Za-z0-9+/]{43}=)$/

const parseKeys = (text: string, context: z.core.$RefinementCtx): PayloadKey[] => {
  const keys = list(text).map((part) => KEY.exec(part)?.groups)
  const ids = keys.map((key) => key?.id)
  if (keys.includes(undefined)) context.addIssue({ code: 'custom', message: 'must be a list of <id>:<32 bytes in base64>' })
  else if (new Set(ids).size < ids.length) context.addIssue({ code: 'custom', message: 'must not name a key twice' })
  return keys.map((key) => ({ id: key?.id ?? '', key: new Uint8Array(Buffer.from(key?.key ?? '', 'base64')) }))
}

/** Keys by which payloads are encrypted (AES-256-GCM); the first one encrypts, all of them decrypt. */
export const payloadKeys = z.string().default('').transform(parseKeys).meta(SECRET)
