import { z } from 'zod'

const SIGNATURE = /^(0x)?([0-9a-fA-F]{2}){64,8192}$/

/** A message that a wallet signed. */
export const SignedMessage = z.strictObject({
  message: z.string().min(40).max(4096).meta({
    description: 'The message, byte for byte as it was issued.',
    format: 'eip4361-message',
  }),
  signature: z
    .string()
    .regex(SIGNATURE, { error: 'must be 64 to 8192 bytes of hex' })
    .describe('Hex, with or without 0x: 65 bytes from a key, more from a contract wallet, 64 (or a type and 64) from a native account.'),
})
