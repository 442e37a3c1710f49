import { MAX_PAYMENT_HEADER } from '../../schemas/paid-verification/payment.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** JSON in base64, as a header of x402 carries it. */
export const encodePaymentHeader = (value: object): string => Buffer.from(JSON.stringify(value), 'utf8').toString('base64')

/** The object in a header of x402; null for a header that is too long, no base64, no UTF-8, no JSON or no object. */
export const decodePaymentHeader = (header: string): object | null => {
  if (header.length > MAX_PAYMENT_HEADER || !BASE64.test(header)) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64'))
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
