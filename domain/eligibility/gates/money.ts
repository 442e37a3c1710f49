import { CHOOSE_ANOTHER, post } from '../../../schemas/common/error-row.ts'
import type { NextAction } from '../../../schemas/errors.ts'
import { knownValue } from '../../common/fact.ts'
import { faucetCommand } from '../../common/faucet.ts'
import { nextUtcDay, secondsUntil } from '../../common/instants.ts'
import { toDisplay } from '../../common/money.ts'
import { defaultNextActions } from '../../common/next-actions.ts'
import type { Assessment } from '../assessment.ts'
import { depositNeededRaw } from '../claim-economics.ts'
import type { Valve } from '../exposure.ts'
import { type Blocker, blocker, type GateName, waitUntil } from './blocker.ts'

/** Refuses when the claim economics could not be read. */
export const claimEconomicsGate = ({ facts }: Assessment): Blocker | null =>
  facts.economics === 'unreadable' ? blocker('claim_economics', 'claim_economics_unavailable', { details: { jobId: facts.job.id } }) : null

const depositAction = (shortfall: string, asset: string, command: string | null): NextAction => {
  const testMoney = command === null ? '' : ` Test money and gas for the deposit: ${command}`
  return post('/account/deposit/transactions', `Deposit ${shortfall} ${asset} and claim again.${testMoney}`)
}

/** Next actions of the first valve that refuses; undefined where no cap stands in the way, so that a deposit helps. */
const actionsOfCap = (valves: readonly Valve[]): NextAction[] | undefined => {
  const code = valves.find(({ refusal }) => refusal !== null)?.refusal?.code
  return code === undefined ? undefined : defaultNextActions(code)
}

/** Refuses when the bond exceeds the wallet's spendable balance. Advises a deposit where money, and no cap, is what is missing. */
export const walletFundingGate = (assessment: Assessment): Blocker | null => {
  const { facts, policy, openExposure, allowance, catalogueBudget } = assessment
  const economics = knownValue(facts.economics)
  if (economics === undefined || economics.lockRaw === 0n) return null
  if (facts.liquidity === 'unreadable') return blocker('wallet_funding', 'blockchain_unavailable')
  const liquidity = knownValue(facts.liquidity)
  if (liquidity === undefined || openExposure === null || allowance === null || catalogueBudget === null) return null
  const shortfallRaw = depositNeededRaw(economics.lockRaw, liquidity.spendableRaw)
  if (shortfallRaw === 0n) return null
  const { symbol, decimals } = economics.asset
  const shortfall = toDisplay(shortfallRaw, decimals)
  const command = policy.hasFaucet && facts.wallet !== null ? faucetCommand(facts.wallet, { usdc: shortfall, gas: true }) : null
  return blocker('wallet_funding', 'insufficient_liquidity', {
    details: {
      wallet: facts.wallet,
      asset: symbol,
      decimals,
      requiredRaw: economics.lockRaw.toString(),
      availableRaw: liquidity.spendableRaw.toString(),
      shortfallRaw: shortfallRaw.toString(),
      encumberedRaw: liquidity.encumberedRaw.toString(),
    },
    nextActions: actionsOfCap([openExposure, allowance, catalogueBudget]) ?? [depositAction(shortfall, symbol, command)],
  })
}

/** Refuses a waived, brokered claim that exceeds the subsidy of the UTC day. */
export const onboardingSubsidyGate = ({ facts, subsidy }: Assessment): Blocker | null => {
  if (subsidy === null || !subsidy.applies || subsidy.available) return null
  return blocker('onboarding_subsidy', 'onboarding_subsidy_exhausted', {
    retryAfterSeconds: secondsUntil(nextUtcDay(facts.now), facts.now),
    details: { onboardingSubsidy: subsidy, resetAt: subsidy.resetAt },
    nextActions: [waitUntil(subsidy.resetAt, 'Claim when the daily budget resets, or claim a job that is not waived.'), CHOOSE_ANOTHER],
  })
}

const valveGate = (gate: GateName, valve: Valve | null, evidenceName: string): Blocker | null => {
  if (valve?.refusal == null) return null
  const { code, retryAfterSeconds } = valve.refusal
  return blocker(gate, code, { retryAfterSeconds, details: { [evidenceName]: valve.evidence } })
}

/** Limits the platform money at risk, or the reward of an external job to the capital ceiling. */
export const openExposureGate = ({ openExposure }: Assessment): Blocker | null => valveGate('open_exposure', openExposure, 'workerExposure')

/** Limits a wallet to its lifetime credit before graduation, and to its rolling daily budget after it. */
export const allowanceGate = ({ allowance }: Assessment): Blocker | null => valveGate('allowance', allowance, 'dailyAllowance')

/** Limits all wallets together to the operator's rolling budget. */
export const catalogueBudgetGate = ({ catalogueBudget }: Assessment): Blocker | null =>
  valveGate('catalogue_budget', catalogueBudget, 'catalogueDailyBudget')
