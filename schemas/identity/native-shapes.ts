import { z } from 'zod'
import { Address, AddressInput, IsoTime, shape } from '../operations/values.ts'

const SS58 = '[1-9A-HJ-NP-Za-km-z]'

/** Wallet of an input: a 0x address, parsed to lower case, or an SS58 address of any network as it is, whose checksum the handler checks. */
export const WalletInput = z
  .string()
  .regex(new RegExp(`^(0x[0-9a-fA-F]{40}|${SS58}{1,64})$`), {
    error: 'must be 0x and 40 hex digits, or an SS58 address',
    abort: true,
  })
  .refine((text) => !text.startsWith('0x') || AddressInput.safeParse(text).success, { error: 'mixed case needs a valid EIP-55 checksum' })
  .transform((text) => (text.startsWith('0x') ? text.toLowerCase() : text))
  .meta({
    description: '0x address in one case or with an EIP-55 checksum, or SS58 address.',
    format: 'wallet-address',
  })

/** Wallet of an answer: lower-case 0x address, or the SS58 address of a native account with prefix 0, whose letter case counts. */
export const Wallet = z
  .string()
  .regex(new RegExp(`^(?:0x[0-9a-f]{40}|${SS58}{35,64})$`))
  .meta({
    description: 'Lower-case 0x address, or SS58 address (prefix 0) of a native account.',
    examples: ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
  })

/** Whether payments to the address of a native account reach it. */
const MAPPING_STATUSES = ['mapped', 'unmapped', 'mismatch', 'unreadable', 'not_needed'] as const
export type MappingStatus = (typeof MAPPING_STATUSES)[number]

const MappingShape = shape(
  'NativeMapping',
  'Whether the chain maps the payout address to the account; without it the account cannot earn.',
  {
    status: z.enum(MAPPING_STATUSES).describe('`not_needed` for an account that was made from a 0x address.'),
    checkedAt: IsoTime,
  },
)

/** What an answer says of a native account beside its SS58 address; absent for every other wallet. */
export const nativeMembers = {
  payoutAddress: Address.optional().describe('Address that a native account is paid at; absent for other wallets.'),
  accountId32: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .optional()
    .describe('Account id of a native account: its public key.'),
  mapping: MappingShape.optional(),
}
