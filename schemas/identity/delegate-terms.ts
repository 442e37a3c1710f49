import { z } from 'zod'
import { TIERS, type Tier } from '../common/tiers.ts'
import { closedShape } from '../operations/values.ts'
import type { Capability } from './authorisation.ts'

/** What a wallet can grant to a delegate, each with its capabilities. */
export const DELEGATE_SCOPES = {
  read: [
    'account:read',
    'agents:list',
    'badges:list',
    'content:read',
    'disputes:list',
    'disputes:read',
    'events:read',
    'jobs:list',
    'reputation:read',
    'session:read',
    'session:timeline',
    'strategies:list',
    'xcm:read',
  ],
  claim: ['jobs:preflight', 'jobs:recommend', 'jobs:claim'],
  submit: ['jobs:submit'],
} as const satisfies Record<string, readonly Capability[]>
export type DelegateScope = keyof typeof DELEGATE_SCOPES
export const SCOPE_NAMES = Object.keys(DELEGATE_SCOPES) as [DelegateScope, ...DelegateScope[]]

/** Bounds of what a wallet grants. */
export const DELEGATE_LIMITS = { days: 30, jobsPerDay: 1_000, nameLength: 60, live: 50 } as const

/** What a delegate may do for its wallet, and how much of it in 24 hours. */
export interface DelegateTerms {
  /** In the order of `DELEGATE_SCOPES`. */
  scopes: DelegateScope[]
  /** Sum of the bonds that it may lock in 24 hours, base units as digits. */
  bondPerDayRaw: string
  /** Claims that it may make in 24 hours. */
  jobsPerDay: number
  /** Tiers of the jobs that it may claim, lowest first. */
  tiers: Tier[]
}

/** Name and host of a delegate, by its own word or by its document. */
export interface DelegateClient {
  name: string
  /** Host to which the client is sent back, or null without one. */
  host: string | null
  /** Client of OAuth; null for a token that the wallet made itself. */
  id: string | null
}

const isDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length

/** Terms that a wallet asks to sign for a delegate. */
export const DelegateTermsInput = closedShape('DelegateTermsInput', 'What a wallet grants to a delegate, and for how long.', {
  name: z
    .string()
    .min(1)
    .max(DELEGATE_LIMITS.nameLength)
    .describe('Name of the delegate; characters that a message cannot hold are left out.'),
  scopes: z.array(z.enum(SCOPE_NAMES)).min(1).max(3).refine(isDistinct, { error: 'must be distinct' }),
  bondPerDayRaw: z
    .string()
    .regex(/^(0|[1-9][0-9]{0,14})$/, { error: 'must be an integer of at most 15 digits in base units' })
    .describe('Sum of the bonds that it may lock in 24 hours, base units as digits.'),
  jobsPerDay: z.int().min(0).max(DELEGATE_LIMITS.jobsPerDay).describe('Claims that it may make in 24 hours.'),
  tiers: z.array(z.enum(TIERS)).min(1).max(3).refine(isDistinct, { error: 'must be distinct' }),
  days: z.int().min(1).max(DELEGATE_LIMITS.days).describe('Days after which it ends.'),
})
