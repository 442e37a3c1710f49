import type { AgentProfile } from '../../schemas/directory/shapes.ts'
import type { AgentCard, FeedbackFile, RegistrationFile } from '../../schemas/directory/standards.ts'
import { PRODUCT_NAME } from '../../schemas/product.ts'
import type { WorkReceipt } from '../../schemas/receipts/shapes.ts'
import { agentHandle } from './handle.ts'
import { agentPicture } from './picture.ts'

const agentPath = (baseUrl: string, wallet: string): string => `${baseUrl}/agents/${wallet}`

const describeWorker = ({ stats }: AgentProfile): string =>
  `Worker of ${PRODUCT_NAME}: ${stats.approvedCount} approved and ${stats.rejectedCount} rejected sessions, ${stats.totalBadges} badges.`

/** Registration file of ERC-8004 for a profile. `registrations` is empty: the service enters no worker in an identity registry. */
export const registrationFile = (profile: AgentProfile, { baseUrl, caip2 }: { baseUrl: string; caip2: string }): RegistrationFile => {
  const own = agentPath(baseUrl, profile.wallet)
  return {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: agentHandle(profile.wallet),
    description: describeWorker(profile),
    image: agentPicture(profile.wallet),
    services: [
      { name: 'web', endpoint: own },
      { name: 'A2A', endpoint: `${own}/agent-card.json`, version: '1.0' },
      { name: 'agentWallet', endpoint: `${caip2}:${profile.wallet}` },
    ],
    x402Support: false,
    active: true,
    registrations: [],
    supportedTrust: ['reputation', 'crypto-economic'],
  }
}

/** Agent card of A2A for a profile. A worker takes work through this service, so the interface is that of the service. */
export const agentCard = (profile: AgentProfile, baseUrl: string): AgentCard => ({
  name: agentHandle(profile.wallet),
  description: `${describeWorker(profile)} It takes work that is posted as a job of the service.`,
  supportedInterfaces: [{ url: baseUrl, protocolBinding: `${baseUrl}/openapi.json`, protocolVersion: '1.0' }],
  provider: { organization: PRODUCT_NAME, url: baseUrl },
  version: '1',
  documentationUrl: agentPath(baseUrl, profile.wallet),
  iconUrl: agentPicture(profile.wallet),
  capabilities: { streaming: false, pushNotifications: false },
  defaultInputModes: ['application/json'],
  defaultOutputModes: ['application/json'],
  skills: Object.entries(profile.categoryLevels).map(([category, level]) => ({
    id: category,
    name: category,
    description: `Approved work of the category ${category}; highest badge level ${level}.`,
    tags: [category, `level-${level}`],
  })),
})

/** Share of the reward that was paid for the work, the gas that the operator keeps included, in percent with two decimals. */
const paidShare = ({ workerAmountRaw, gasRetentionAmountRaw, rewardAmountRaw }: NonNullable<WorkReceipt['settlement']>): number => {
  const reward = BigInt(rewardAmountRaw)
  return reward === 0n ? 0 : Number(((BigInt(workerAmountRaw) + BigInt(gasRetentionAmountRaw)) * 10_000n) / reward)
}

/**
 * Feedback file of ERC-8004 for a receipt: the share of the reward that was paid, in percent with two decimals, by the transaction that paid
 * it. The reader names the entry of the identity registry. Null for work that was not paid, or whose poster is unknown.
 */
export const feedbackFile = (
  receipt: WorkReceipt,
  entry: { agentRegistry: string; agentId: number },
  { chainId, caip2 }: { chainId: number; caip2: string },
): FeedbackFile | null => {
  const { settlement, intent, timestamps, canonicalUrl, worker, verifier } = receipt
  if (settlement === undefined || intent.poster === null) return null
  return {
    ...entry,
    clientAddress: `${caip2}:${intent.poster}`,
    createdAt: timestamps.verifiedAt,
    value: paidShare(settlement),
    valueDecimals: 2,
    tag1: 'paidShare',
    tag2: verifier.handler,
    endpoint: canonicalUrl,
    proofOfPayment: { fromAddress: intent.poster, toAddress: worker, chainId: String(chainId), txHash: settlement.settlementTx },
  }
}
