import { z } from 'zod'
import { ADMIN, operation } from '../operations/operation.ts'
import { Address, AddressInput, AssetAmount, IsoTime, listAnswer, listQuery, nativeAccount, part, shape } from '../operations/values.ts'
import { WALLET_ROLES } from './record.ts'

const WalletRowShape = shape('WalletRow', 'A wallet that has signed in, claimed, posted or been paid.', {
  wallet: Address,
  nativeAccount,
  roles: z
    .array(z.enum(WALLET_ROLES))
    .describe('Configured roles, and what the wallet has done: `worker` has claimed, `poster` has funded a job.'),
  firstSeenAt: IsoTime.describe('First sign-in, claim or quote of a job.'),
  lastSeenAt: IsoTime.describe('Last sign-in, use of it, claim, submission or quote of a job.'),
  sessions: part('Its sessions.', {
    open: z.int().min(0),
    paid: z.int().min(0),
    rejected: z.int().min(0).describe('Final rejections.'),
    total: z.int().min(0),
  }),
  paid: AssetAmount.describe('Paid to the wallet for its work.'),
  locked: AssetAmount.describe('Bonds that the escrow holds of its open sessions.'),
  skill: z.int().min(0).describe('Score that opens tiers.'),
  posts: z.int().min(0).describe('Jobs that it has funded.'),
})

export const listAdminWallets = operation('listAdminWallets', 'GET /admin/wallets', {
  fromReplica: true,
  summary: 'Wallets that have signed in, claimed, posted or been paid, last seen first.',
  ...ADMIN,
  tags: ['Account'],
  capability: 'ops:view',
  query: z.object({
    ...listQuery(50, 250),
    wallet: AddressInput.optional(),
    role: z.enum(WALLET_ROLES).optional(),
  }),
  responses: { 200: z.object({ wallets: z.array(WalletRowShape), count: z.int(), ...listAnswer }) },
  examples: { query: { role: 'worker' } },
})
