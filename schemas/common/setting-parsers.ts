import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'

/** Mark of a setting that holds a secret, which `<NAME>_FILE` can give too. */
export const SECRET = { secret: true } as const

/** Parts of a comma list. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

export const csv = z.string().default('').transform(list)
export const wallets = z.string().toLowerCase().default('').transform(list)

export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true')

/** Amount in base units. */
export const raw = (fallback: string) =>
  z
    .string()
    .regex(/^[0-9]+$/)
    .default(fallback)
    .transform((digits) => BigInt(digits))

export const parseJson = (text: string, context: z.core.$RefinementCtx): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' })
    return z.NEVER
  }
}

/** JSON object whose members have one shape. */
export const json = <Value extends z.ZodType>(value: Value, key: z.core.$ZodRecordKey = z.string()) =>
  z.string().default('{}').transform(parseJson).pipe(z.record(key, value))

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const isChainKey = (text: string): boolean => /^0x[0-9a-fA-F]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < CURVE_ORDER
export const chainKey = z.string().refine(isChainKey, { error: 'must be a key of the chain: 0x and 64 hex digits' }).optional().meta(SECRET)

const isP256Key = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}
export const signingKey = z.string().refine(isP256Key, { error: 'must be a P-256 private key as PKCS#8 PEM' }).optional().meta(SECRET)
