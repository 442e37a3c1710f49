import { SCORING_VERSION, type Scores } from './tiers.ts'

/** Events that change or document a wallet's scores; an event is unique per session and kind. */
export const REPUTATION_KINDS = ['approval_level_1', 'approval_level_2', 'rejection_final', 'dispute_lost', 'dispute_won'] as const
export type ReputationKind = (typeof REPUTATION_KINDS)[number]

const SKILL_AND_RELIABILITY: Record<ReputationKind, { skill: number; reliability: number; paid: boolean; reason: string }> = {
  approval_level_1: { skill: 25, reliability: 20, paid: true, reason: 'APPROVED' },
  approval_level_2: { skill: 50, reliability: 40, paid: true, reason: 'MILESTONES_APPROVED' },
  rejection_final: { skill: -10, reliability: -20, paid: false, reason: 'REJECTED' },
  dispute_lost: { skill: -30, reliability: -50, paid: false, reason: 'DISPUTE_LOST' },
  dispute_won: { skill: 0, reliability: 0, paid: false, reason: 'DISPUTE_WON' },
}

/** One row of the append-only ledger. `nominal` is the change of the table, `applied` that change down to zero. */
export interface ReputationEvent {
  kind: ReputationKind
  reason: string
  nominal: Scores
  applied: Scores
  scoringVersion: number
}

/** Reward of the session in base units; only its whole units count. */
export interface SessionReward {
  rewardRaw: bigint
  decimals: number
}

const wholeUnits = ({ rewardRaw, decimals }: SessionReward): number => Number(rewardRaw / 10n ** BigInt(decimals))

/** Score changes of an event before the floor at zero. */
const nominalChange = (kind: ReputationKind, reward: SessionReward): Scores => {
  const row = SKILL_AND_RELIABILITY[kind]
  return { skill: row.skill, reliability: row.reliability, economic: row.paid ? wholeUnits(reward) : 0 }
}

const downToZero = (current: number, nominal: number): number => Math.max(-current, nominal) + 0

/** Next ledger event of a wallet with the scores `current`; a negative change applies only down to zero. */
export const reputationEvent = (current: Scores, kind: ReputationKind, reward: SessionReward): ReputationEvent => {
  const nominal = nominalChange(kind, reward)
  return {
    kind,
    reason: SKILL_AND_RELIABILITY[kind].reason,
    nominal,
    applied: {
      skill: downToZero(current.skill, nominal.skill),
      reliability: downToZero(current.reliability, nominal.reliability),
      economic: downToZero(current.economic, nominal.economic),
    },
    scoringVersion: SCORING_VERSION,
  }
}
