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

const NONCE = /Nonce:\s*([0-9a-f]{32})(?![0-9a-z])/i

/** The nonce that a text names, also in a text that is no valid message. */
export const findNonce = (text: string): string | null => NONCE.exec(text)?.[1]?.toLowerCase() ?? null

/** Without letter case; every run of white space, line ends and byte order marks included, is one space. */
const fold = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Whether a text is the issued message but for letter case or white space. */
export const differsInFormOnly = (issued: string, text: string): boolean => issued !== text && fold(issued) === fold(text)
