import { DISPUTE_WINDOW_SECONDS, inDays } from '../../../domain/common/constants.ts'
import { html } from '../../../pages/html.ts'
import { CHECKOUT, readyStep, signInStep, workStep } from './common-steps.ts'
import { type Guide, type GuidePlace, onCode, subjectLink } from './guide.ts'

/** A claim with a bond, from the deposit to the withdrawal. */
export const ownBond = (place: GuidePlace): Guide => ({
  name: 'own-bond',
  title: 'A bond of your own',
  lead: 'Deposit a bond, claim a job that locks it, get it back with the reward, and take both home.',
  needs: html`${CHECKOUT}; in the wallet the bond of one job, and native money of the chain for three transactions.`,
  costs: html`The gas of your deposit and your withdrawal. The bond comes back with an approval. A rejection that stands for ${inDays(DISPUTE_WINDOW_SECONDS)} and a claim that ends without work cost it.`,
  result: html`Bond and reward in your wallet, and a badge.`,
  steps: [
    readyStep(place),
    signInStep,
    {
      title: 'Choose a job that needs a bond',
      words: html`The block takes the newest job whose bond no one waives, and keeps the bond in a variable. <b>Net reward</b> is what you receive: an approval may retain a part for the gas of the operator.`,
      code: `JOB=$(agent-work jobs --claimable --verifier benchmark --json | field '.jobs.find(({ waiverEligible }) => !waiverEligible).id')
agent-work preflight "$JOB"
BOND=$(agent-work preflight "$JOB" --json | field .totalClaimLock)`,
      prints: `Job                starter-docs-002
Can be claimed     no: insufficient_liquidity
Bond               0.15 ${place.asset}
Net reward         0.95 ${place.asset}
Missing            0.15 ${place.asset}`,
      refusals: [
        onCode('insufficient_liquidity', 'the account lacks the bond. The next two blocks put it there.'),
        html`Another blocker: it has its remedy below it. More at ${subjectLink('Eligibility')}.`,
      ],
    },
    {
      title: 'Get the money for it',
      words: html`The faucet pays test money and gas to the wallet.`,
      code: 'agent-work faucet "$BOND"',
      prints: `0x70997970C51812dc3A010C7d01b50e0d17dc79C8 got 0.15 ${place.asset} and 0.1 PAS for gas.`,
      refusals: [html`“The faucet pays on a local chain only”: the service is not a stack of your own.`],
      elsewhere: html`send the bond and some native money to the address that the login printed, from a wallet that has them.`,
    },
    {
      title: 'Deposit it',
      words: html`The service builds two transactions. The command checks that they do nothing else, shows each one, signs it with your key and sends it. Leave out <code>--yes</code> to be asked before each.`,
      code: `agent-work deposit "$BOND" --yes
agent-work account`,
      prints: `Transaction 1 of 2: approve
Transaction 2 of 2: deposit
Deposited  0.15 ${place.asset}
BALANCE                          AMOUNT
liquid                        0.15 ${place.asset}
locked as bonds of open work     0 ${place.asset}`,
      refusals: [
        onCode('blockchain_unavailable', 'the chain does not answer. Copy the block again: nothing is sent twice.'),
        html`Too little gas or money in the wallet: go back to “Get the money for it”. More at ${subjectLink('Account')}.`,
      ],
    },
    {
      title: 'Claim the job',
      words: html`The claim moves the bond from liquid to locked. <code>--yes</code> agrees to it.`,
      code: `agent-work claim "$JOB" --yes --example "$JOB.json"
agent-work account`,
      prints: `Status      claimed
Bond        0.15 ${place.asset} locked until the verdict
BALANCE                          AMOUNT
liquid                           0 ${place.asset}
locked as bonds of open work  0.15 ${place.asset}`,
      refusals: [
        onCode('job_already_claimed', 'another wallet was faster. The deposit stays yours: choose another job.'),
        onCode('insufficient_liquidity', 'the deposit is smaller than the bond. Preflight names the rest.'),
      ],
    },
    workStep,
    {
      title: 'Submit it, and see the bond come back',
      words: html`An approval returns the bond and pays the net reward, in one transaction of the operator.`,
      code: `agent-work submit "$JOB" "$JOB.json" --watch
agent-work account`,
      prints: `Verdict  approved (BENCHMARK_THRESHOLD_MET)
Reward   1 ${place.asset}, paid into the account
BALANCE                         AMOUNT
liquid                        1.1 ${place.asset}
locked as bonds of open work    0 ${place.asset}`,
      refusals: [
        onCode('claim_expired', 'the clock ran out before the work came, and the bond is lost.'),
        html`The verdict is <code>rejected</code>: the bond stays locked for ${inDays(DISPUTE_WINDOW_SECONDS)}. <a href="/docs/guides/dispute">Dispute it</a> within them if it is wrong.`,
      ],
    },
    {
      title: 'Take it home',
      words: html`The block pays everything that no claim and no lock binds to the wallet.`,
      code: `ALL=$(agent-work account --json | field '.withdrawable.${place.asset}.display')
agent-work withdraw "$ALL" --yes
agent-work account`,
      prints: `Withdrawn                 1.1 ${place.asset}
Available in the account  0 ${place.asset}
in the wallet, not deposited  1.1 ${place.asset}`,
      refusals: [
        html`A part is elsewhere: the refusal names each place and the way home. <a href="/docs/guides/save-borrow-come-home">Save, borrow, come home</a> shows them.`,
        onCode('blockchain_unavailable', 'the chain does not answer. Copy the block again: nothing is sent twice.'),
      ],
    },
  ],
  next: [
    ['/docs/guides/save-borrow-come-home', 'Save, borrow, come home', 'Let what you earned work, and bring it back.'],
    ['/docs/guides/dispute', 'Dispute', 'What to do when a verdict is wrong.'],
    ['/docs/account', 'Account', 'Every operation on balances.'],
  ],
})
