import { describe, expect, test } from '@jest/globals'
import { agentPicture } from '../../../domain/directory/picture.ts'
import { agentProfile, noCounts } from '../../../domain/directory/profile.ts'
import { agentCard, feedbackFile, registrationFile } from '../../../domain/directory/standards.ts'
import { AgentCardShape, FeedbackFileShape, RegistrationFileShape } from '../../../schemas/directory/standards.ts'
import type { WorkReceipt } from '../../../schemas/receipts/shapes.ts'

const WALLET = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const POSTER = `0x${'9'.repeat(40)}`
const TX = `0x${'7'.repeat(64)}`
const BASE = 'https://work.example'

/** Members of each object in the published text of the standard: those that must stand there, and those that may. */
interface Published {
  must: readonly string[]
  may?: readonly string[]
}

// ERC-8004, "Agent URI and Agent Registration File" and "Off-Chain Feedback File Structure", as of January 2026.
const REGISTRATION: Published = {
  must: ['type', 'name', 'description', 'image', 'services', 'x402Support', 'active', 'registrations'],
  may: ['supportedTrust'],
}
const SERVICE: Published = { must: ['name', 'endpoint'], may: ['version', 'skills', 'domains'] }
const FEEDBACK: Published = {
  must: ['agentRegistry', 'agentId', 'clientAddress', 'createdAt', 'value', 'valueDecimals'],
  may: ['tag1', 'tag2', 'endpoint', 'mcp', 'a2a', 'oasf', 'proofOfPayment'],
}
const PAYMENT: Published = { must: ['fromAddress', 'toAddress', 'chainId', 'txHash'] }
// A2A 1.0, "AgentCard" and its parts.
const CARD: Published = {
  must: ['name', 'description', 'supportedInterfaces', 'version', 'capabilities', 'defaultInputModes', 'defaultOutputModes', 'skills'],
  may: ['provider', 'documentationUrl', 'securitySchemes', 'securityRequirements', 'signatures', 'iconUrl'],
}
const INTERFACE: Published = { must: ['url', 'protocolBinding', 'protocolVersion'], may: ['tenant'] }
const CAPABILITIES: Published = { must: [], may: ['streaming', 'pushNotifications', 'extensions', 'extendedAgentCard'] }
const PROVIDER: Published = { must: ['organization', 'url'] }
const SKILL: Published = {
  must: ['id', 'name', 'description', 'tags'],
  may: ['examples', 'inputModes', 'outputModes', 'securityRequirements'],
}

/** Members that are missing from an object, and those that the standard does not know. */
const faults = (object: object | undefined, { must, may = [] }: Published): string[] => {
  const names = Object.keys(object ?? {})
  return [...must.filter((name) => !names.includes(name)), ...names.filter((name) => ![...must, ...may].includes(name))]
}

const profile = agentProfile(
  { ...noCounts(WALLET), approved: 2, rejected: 1 },
  {
    totalBadges: 2,
    earnedRaw: 5n,
    categories: [],
    categoryLevels: { docs: 1, coding: 2 },
    disputes: [],
    badges: [],
    activity: null,
    signals: { attempted: 0, prOpened: 0, checksPassed: 0, maintainerApproved: 0, merged: 0 },
    deliveryCounts: { open: 0, merged: 0, closedUnmerged: 0, stale: 0, reverted: 0 },
    disputeCounts: { total: 0, open: 0, lost: 0, won: 0, split: 0, timeout: 0, resolved: 0 },
  },
  { identities: {}, asset: { symbol: 'USDC', decimals: 6 }, now: 0, baseUrl: BASE },
)

const receiptOf = (workerAmountRaw: string, gasRetentionAmountRaw: string, rewardAmountRaw: string, poster: string | null = POSTER) =>
  ({
    worker: WALLET,
    verifier: { handler: 'benchmark' },
    intent: { poster },
    timestamps: { verifiedAt: '2026-01-02T03:04:05.000Z' },
    canonicalUrl: `${BASE}/receipts/${TX}`,
    settlement: { workerAmountRaw, gasRetentionAmountRaw, rewardAmountRaw, settlementTx: TX },
  }) as unknown as WorkReceipt

const ENTRY = { agentRegistry: 'eip155:1:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432', agentId: 22 }
const CHAIN = { chainId: 31_337, caip2: 'eip155:31337' }

describe('the forms of a profile by other standards', () => {
  test('the registration file has the members of ERC-8004 and no other', () => {
    const file = registrationFile(profile, { baseUrl: BASE, caip2: CHAIN.caip2 })
    expect(faults(file, REGISTRATION)).toEqual([])
    expect(file.services.flatMap((service) => faults(service, SERVICE))).toEqual([])
    expect(RegistrationFileShape.parse(file)).toEqual(file)
    expect(file.services.map(({ name }) => name)).toEqual(['web', 'A2A', 'agentWallet'])
  })

  test('the agent card has the members of A2A and no other', () => {
    const card = agentCard(profile, BASE)
    expect(faults(card, CARD)).toEqual([])
    expect(card.supportedInterfaces.flatMap((one) => faults(one, INTERFACE))).toEqual([])
    expect([faults(card.capabilities, CAPABILITIES), faults(card.provider, PROVIDER)]).toEqual([[], []])
    expect(card.skills.flatMap((skill) => faults(skill, SKILL))).toEqual([])
    expect(card.skills.map(({ id, tags }) => [id, tags])).toEqual([
      ['docs', ['docs', 'level-1']],
      ['coding', ['coding', 'level-2']],
    ])
    expect(AgentCardShape.parse(card)).toEqual(card)
  })

  test.each([
    ['paid in full', '1000000', '0', '1000000', 10_000],
    ['paid but for the retained gas', '950000', '50000', '1000000', 10_000],
    ['split', '400000', '0', '1000000', 4_000],
    ['a share that is no whole number', '1', '0', '3', 3_333],
  ])('a feedback file of work that was %s', (_name, worker, retained, reward, value) => {
    const file = feedbackFile(receiptOf(worker, retained, reward), ENTRY, CHAIN)
    expect(faults(file ?? undefined, FEEDBACK)).toEqual([])
    expect(faults(file?.proofOfPayment, PAYMENT)).toEqual([])
    expect(file).toMatchObject({ ...ENTRY, value, valueDecimals: 2, clientAddress: `eip155:31337:${POSTER}` })
    expect(file?.proofOfPayment).toEqual({ fromAddress: POSTER, toAddress: WALLET, chainId: '31337', txHash: TX })
    expect(FeedbackFileShape.parse(file)).toEqual(file)
  })

  test('unpaid work, and work of an unknown poster, has none', () => {
    const { settlement: _, ...unpaid } = receiptOf('1', '0', '1')
    expect(feedbackFile(unpaid as WorkReceipt, ENTRY, CHAIN)).toBeNull()
    expect(feedbackFile(receiptOf('1', '0', '1', null), ENTRY, CHAIN)).toBeNull()
  })
})

test('the picture of a worker follows from the address', () => {
  const svg = (wallet: string): string => atob(agentPicture(wallet).replace('data:image/svg+xml;base64,', ''))
  expect(svg(WALLET)).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 100 100"><path fill="hsl\(158 /)
  expect(svg(WALLET)).not.toBe(svg(POSTER))
})
