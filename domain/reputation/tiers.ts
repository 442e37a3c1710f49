import type { JobRole } from '../../schemas/catalogue/job-terms.ts'
import { TIERS, type Tier } from '../../schemas/common/tiers.ts'

/** Skill each claim tier requires. Source: specification, Job definition ("Ladder tiers"). */
const TIER_SKILL: Record<Tier, number> = { starter: 0, pro: 100, elite: 200 }

/** Skill that each job role requires. */
export const ROLE_SKILL: Record<JobRole, number> = { worker: 0, curator: 50, reviewer: 100, publisher: 200, verifier: 300, arbitrator: 500 }

/** Version of the table of score changes; stored with every event. */
export const SCORING_VERSION = 1

/** Summed scores of a wallet; never below 0. */
export interface Scores {
  skill: number
  reliability: number
  economic: number
}

/** A skill threshold and a wallet's scores. `missing.skill` is absent when nothing is missing. */
export interface SkillGate {
  unlocked: boolean
  requires: { skill: number }
  has: Scores
  missing: { skill?: number }
}
export type TierGate = { tier: Tier } & SkillGate
export type RoleGate = { role: JobRole } & SkillGate

const skillGate = (skill: number, has: Scores): SkillGate => {
  const unlocked = has.skill >= skill
  return { unlocked, requires: { skill }, has, missing: unlocked ? {} : { skill: skill - has.skill } }
}

/** Skill a tier requires. */
export const tierSkill = (tier: Tier): number => TIER_SKILL[tier]

/** Skill gate of a claim tier. */
export const tierGate = (tier: Tier, has: Scores): TierGate => ({ tier, ...skillGate(tierSkill(tier), has) })
export const roleGate = (role: JobRole, has: Scores): RoleGate => ({ role, ...skillGate(ROLE_SKILL[role], has) })

/** Highest claim tier that a skill unlocks. */
export const tierOf = (skill: number): Tier => TIERS.findLast((tier) => skill >= tierSkill(tier)) ?? TIERS[0]

/** Body of `GET /jobs/tiers`. */
export const tierLadder = () => ({
  ladder: 'claim tier',
  scoringVersion: SCORING_VERSION,
  tiers: TIERS.map((tier) => ({ tier, requires: { skill: tierSkill(tier) } })),
})

/** Ladder with the gates of one wallet, for the tool `getJobTierLadder`. */
export const walletTierLadder = (wallet: string, has: Scores) => {
  const tiers = TIERS.map((tier) => tierGate(tier, has))
  return {
    ladder: 'claim tier',
    scoringVersion: SCORING_VERSION,
    wallet,
    reputation: { ...has, tier: tierOf(has.skill) },
    tiers,
    nextLocked: tiers.find((gate) => !gate.unlocked) ?? null,
  }
}
