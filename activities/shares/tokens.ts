import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new id of 128 random bits. */
export const newShareId = (): string => `shr_${randomBytes(16).toString('base64url')}`

/** Token of a share: its id and the MAC of the id. Source: identity, "Share token". */
export const shareToken = (secret: string, id: string): string =>
  `${id}.${createHmac('sha256', secret).update(`v1.${id}`).digest('base64url')}`

/** Id of a token; null for a MAC of another secret. Compares the texts in constant time: two texts can decode to the same bytes. */
export const findShareId = (secret: string, token: string): string | null => {
  const [id = ''] = token.split('.')
  const [sent, expected] = [token, shareToken(secret, id)].map((text) => Buffer.from(text)) as [Buffer, Buffer]
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? id : null
}
