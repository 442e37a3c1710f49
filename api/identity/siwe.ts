import { SiweMessage } from 'siwe'

const parse = (text: string): SiweMessage | null => {
  try {
    return new SiweMessage(text)
  } catch {
    // The parser throws plain errors for any text that is not a message; the caller handles that.
    return null
  }
}

const ISSUED_AT = /^Issued At: .*$/m
const hasBadTimeOnly = (text: string): boolean =>
  ISSUED_AT.test(text) && parse(text.replace(ISSUED_AT, 'Issued At: 2026-01-02T03:04:05.000Z')) !== null

/** Parses a sign-in text. `malformed` when it is not one, `bad_issued_at` when only its issue time is unreadable. */
export const parseMessage = (text: string): SiweMessage | 'malformed' | 'bad_issued_at' => {
  const message = parse(text)
  if (message !== null) return Number.isNaN(Date.parse(message.issuedAt ?? '')) ? 'bad_issued_at' : message
  return hasBadTimeOnly(text) ? 'bad_issued_at' : 'malformed'
}
