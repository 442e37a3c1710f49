import { DEPOSIT_VESTING_SECONDS, inHours, VESTING_ATTESTATION_SECONDS } from '../../../domain/common/constants.ts'
import { QUOTE_LIFETIME_SECONDS } from '../../../domain/consents/message.ts'
import { EXIT_DELAY_SECONDS } from '../../../domain/locked-deposits/lock.ts'
import { html } from '../../../pages/html.ts'
import { duration } from '../../../pages/parts.ts'
import { CHECKOUT, READ_TOKEN, readyStep, signInStep } from './common-steps.ts'
import { type Guide, type GuidePlace, onCode, subjectLink } from './guide.ts'

/** What the guide moves, in whole units of the asset. */
const UNITS = { all: 20, account: 5, lock: 2, pool: 10, lend: 3, pledge: 5, loan: 2 } as const
const TIER = 't7'

/** Signs what the service builds, with the key of the command line. */
const SIGNER = `import { readFileSync } from 'node:fs'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { readKeyFile } from './client/cli/key/key-file.ts'
import { getPassphrase } from './client/cli/key/passphrase.ts'
import { createStateDirectory, stateDirectory } from './client/cli/state/directory.ts'

const { AGENT_WORK_URL: service, AGENT_WORK_PASSPHRASE: variable } = process.env
const [, , act, file, only] = process.argv
const answer = JSON.parse(readFileSync(file, 'utf8'))
const { keyFile } = createStateDirectory(stateDirectory(undefined, process.env), service).getSession()
const output = { hide() {}, warn: console.error }
const passphrase = () => getPassphrase({ variable, output, signal: new AbortController().signal }, 'open')
const { privateKey } = await readKeyFile(keyFile, console.error)(passphrase)
const account = privateKeyToAccount(\`0x\${privateKey.toString('hex')}\`)

if (act === 'consent') {
  const { terms, termsHash, consent } = answer
  const consentSignature = await account.signMessage({ message: consent.message })
  console.log(JSON.stringify({ terms, termsHash, consentSignature }))
}
if (act === 'send') {
  const { broadcast, chainId } = await (await fetch(\`\${service}/pool\`)).json()
  const transport = http(broadcast.rpcUrls[0])
  const node = createPublicClient({ transport, pollingInterval: 500 })
  if ((await node.getChainId()) !== chainId) throw new Error('the node is of another chain')
  for (const { step, to, data } of answer.templates.filter((template) => (only ?? template.step) === template.step)) {
    const hash = await createWalletClient({ account, transport }).sendTransaction({ chain: null, to, data })
    const { status } = await node.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(\`\${step} failed: \${hash}\`)
    console.log(\`\${step}: \${hash}\`)
  }
}`

/** A nonce that no earlier consent used. */
const NEW_NONCE = `NONCE=$(node -p 'crypto.randomBytes(12).toString("hex")')`
const SHOW_PLACES = `get /account/position | field '.places.map(({ place, amount }) => place + ": " + amount.display).join("\\n")'`

/** Locks, lends, saves, borrows and repays, and brings everything back into the wallet. */
export const saveBorrowComeHome = (place: GuidePlace): Guide => {
  const { asset, decimals } = place
  const raw = (units: number): string => String(BigInt(units) * 10n ** BigInt(decimals))
  return {
    name: 'save-borrow-come-home',
    title: 'Save, borrow, come home',
    lead: 'Lock a deposit, lend what is idle, save in the pool, borrow against it, repay, and bring every coin home.',
    needs: html`${CHECKOUT}; ${UNITS.all} ${asset} in the wallet, native money of the chain for a dozen transactions, and ${inHours(DEPOSIT_VESTING_SECONDS)}.`,
    costs: html`Gas. A loan costs the interest that its preview states. What is in a pool is at risk: a loss of the pool is a loss of its depositors. A lock costs nothing but time.`,
    result: html`All of it in the wallet again: the position of the account names no other place.`,
    steps: [
      readyStep(place),
      signInStep,
      {
        title: 'Get the money for it',
        words: html`The faucet pays test money and gas to the wallet.`,
        code: `agent-work faucet ${UNITS.all}`,
        prints: `0x70997970C51812dc3A010C7d01b50e0d17dc79C8 got ${UNITS.all} ${asset} and 0.1 PAS for gas.`,
        refusals: [html`“The faucet pays on a local chain only”: the service is not a stack of your own.`],
        elsewhere: html`send ${UNITS.all} ${asset} and some native money to the address that the login printed.`,
      },
      {
        title: 'Make a signer',
        words: html`The command line has no command for savings. This program signs for it with the same key: <code>consent</code> signs the sentence of a quote, <code>send</code> the transactions of an answer.
It signs what it is given, so read the answer before: <code>consent.message</code> is the sentence, <code>expected</code> every balance that changes. <code>get</code> and <code>post</code> are requests with your token.`,
        code: `cat > sign.mjs <<'END'
${SIGNER}
END
get() { curl -sS --fail-with-body -H "authorization: Bearer $TOKEN" "$AGENT_WORK_URL$1"; }
post() { curl -sS --fail-with-body -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' "$AGENT_WORK_URL$1" -d "$2"; }
${READ_TOKEN}
get /auth/session | field .wallet`,
        prints: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        refusals: [onCode('missing_token', html`no token was found: sign in with the block before. More at ${subjectLink('Sign-in')}.`)],
      },
      {
        title: 'Lock a deposit',
        words: html`${UNITS.account} ${asset} go into the account. A lock of ${UNITS.lock} then binds a part of it for a tier and its perks. No funds move: you sign a sentence that says amount, end and what leaving early means.`,
        code: `agent-work deposit ${UNITS.account} --yes
${NEW_NONCE}
post /locked-deposits/quote '{"tier": "${TIER}", "amount": "${raw(UNITS.lock)}", "consentNonce": "'"$NONCE"'"}' > lock-quote.json
field .consent.message < lock-quote.json
npx node sign.mjs consent lock-quote.json > lock-consent.json
post /locked-deposits/consent "$(cat lock-consent.json)" > lock.json
LOCK=$(field .entry.id < lock.json)
field .entry.status < lock.json`,
        prints: `I lock ${UNITS.lock} ${asset} of my balance in the account contract as a locked deposit of tier ${TIER}
active`,
        refusals: [
          onCode('locked_tier_insufficient_aac_liquid', 'the account has less than the lock. Deposit first.'),
          onCode(
            'locked_tier_quote_expired',
            `${duration(QUOTE_LIFETIME_SECONDS)} have passed. Copy the block again, without its first line.`,
          ),
          onCode(
            'locked_tiers_disabled',
            html`the operator offers no locks. Go on with the next block. More at ${subjectLink('Locked deposits')}.`,
          ),
        ],
      },
      {
        title: 'Let idle balance be lent',
        words: html`With a second signed sentence the operator lends what is idle in the account to the deposit pool. The sentence names the reserve and the end. The last line waits until something is lent.`,
        code: `${NEW_NONCE}
post /account/idle-allocation/quote '{"consentNonce": "'"$NONCE"'"}' > idle-quote.json
field .consent.message < idle-quote.json
npx node sign.mjs consent idle-quote.json > idle-consent.json
post /account/idle-allocation/consent "$(cat idle-consent.json)" | field .consent.status
until get /account/idle-allocation | field .movements.allocated.display | grep -v '^0$'; do sleep 2; done`,
        prints: `I let the operator lend my idle balance to the deposit pool
active
1`,
        refusals: [
          html`A TypeError after the quote: the operator offers no lending of idle balance. Go on with the next block. More at ${subjectLink('Account')}.`,
          onCode('idle_balance_consent_quote_expired', `${duration(QUOTE_LIFETIME_SECONDS)} have passed. Copy the block again.`),
        ],
      },
      {
        title: 'Save in the deposit pool',
        words: html`The pool takes money of the wallet and gives shares. A deposit vests evenly over ${inHours(DEPOSIT_VESTING_SECONDS)}. What has vested raises your limits on claims and is what you can borrow against.`,
        code: `post /pool/transactions '{"direction": "deposit", "amount": "${raw(UNITS.pool)}"}' > deposit.json
npx node sign.mjs send deposit.json`,
        prints: `approve: 0x581dcf81123f3cf6c481b313b808617cfd415aa1715f8d3ec6b7c05b37779ffe
deposit: 0x369a8446cd6612391fce8dbaa111d4454b043c74eae4c1250acc95d3cb6303fc`,
        refusals: [
          onCode(
            'invalid_request',
            html`the contract would refuse it: <code>reason</code> is its error, <code>details</code> the amounts that decide. More at ${subjectLink('Pool')}.`,
          ),
          onCode('token_expired', 'sign in again, copy the line that reads the token, and then this block.'),
        ],
      },
      {
        title: 'Ask for the lock back',
        words: html`The perks end at once. The amount is free after ${inHours(EXIT_DELAY_SECONDS)}, without a fee. A lock that you leave alone ends by itself after its term.`,
        code: `post "/locked-deposits/$LOCK/exit" '{}' | field .consequence.releaseAt`,
        prints: '2026-01-04T03:04:05.000Z',
        refusals: [
          onCode('locked_tier_already_released', 'the lock is over and binds nothing.'),
          onCode('locked_tier_not_found', 'the lock is of another wallet.'),
        ],
      },
      {
        title: 'Let time pass',
        words: html`The block moves the stack ${inHours(DEPOSIT_VESTING_SECONDS)} on: chain, service and everything that waits.`,
        code: `npm run --silent time -- +${DEPOSIT_VESTING_SECONDS / 3_600}h`,
        prints: `service       2026-01-04T03:04:05.000Z
workflows     7 moved`,
        refusals: [html`“No stack of this checkout runs”: the service is not a stack of your own.`],
        elsewhere: html`wait ${inHours(DEPOSIT_VESTING_SECONDS)}, in the same shell or with the variables written down.`,
      },
      {
        title: 'See what has vested',
        words: html`The token has ended by now, so the block signs in again.`,
        code: `agent-work login
${READ_TOKEN}
get /pool | field .wallet.vestedAssets.display
get /me | field '.lockedDeposits.entries[0].status'`,
        prints: `${UNITS.pool}
released`,
        refusals: [
          html`The number is smaller: not all has vested yet. <code>get /pool | field .wallet.vesting</code> names the rest and its end.`,
        ],
      },
      {
        title: 'Give the credit pool something to lend',
        words: html`On a new stack the credit pool is empty. The block makes you its lender, too. Its risk is stated in <code>get /credit</code>.`,
        code: `post /credit/transactions '{"direction": "deposit", "amount": "${raw(UNITS.lend)}"}' > lend.json
npx node sign.mjs send lend.json
get /credit | field .supply.buffer.display`,
        prints: `approve: 0xe8f5af876dad45b259e0c1596ac5830a9b62a98a6eeda5a7ec8d2d4a6a0523f2
deposit: 0xcd0303b4b230737dca96e8e715552ea9c315229bb80cc18e954dc9f2a99dd863
${UNITS.lend}`,
        refusals: [onCode('credit_disclosure_mismatch', 'the contract states another risk than the service. Neither lend nor borrow now.')],
        elsewhere: html`leave it out where the last line alone prints ${UNITS.loan} or more: others lend.`,
      },
      {
        title: 'Borrow',
        words: html`A loan takes two transactions. The first pledges shares of the deposit pool. The same request then gives the second, with a signed statement of what has vested: send it within ${duration(VESTING_ATTESTATION_SECONDS)}.`,
        code: `LOAN='{"direction": "borrow", "pledgeShares": "${raw(UNITS.pledge)}", "amount": "${raw(UNITS.loan)}"}'
post /credit/transactions "$LOAN" > loan.json
field '.preview.repaymentAmount.display' < loan.json
npx node sign.mjs send loan.json pledge
post /credit/transactions "$LOAN" > loan.json
npx node sign.mjs send loan.json originate
agent-work account`,
        prints: `${UNITS.loan}
pledge: 0x283e7896e9311c676e3acd4ae092a8fe5091cf28de7c7da3e00d5d8c0cb7c16d
originate: 0x7aeb1ef4ff9f5a844ce1b4286eb6ca72c5e8ed2702958f4082b2c8ebaa7f48a3`,
        refusals: [
          onCode(
            'invalid_request',
            html`the loan is above the limit, or the pool has less: <code>details</code> has both amounts. More at ${subjectLink('Credit')}.`,
          ),
          html`<code>originate</code> failed: the statement was too old. Copy the last three lines again.`,
        ],
      },
      {
        title: 'Repay',
        words: html`The block reads what you owe and repays all of it. The pledge is free in the same transaction.`,
        code: `OWED=$(get /credit | field .wallet.outstanding.raw)
post /credit/transactions '{"direction": "repay", "amount": "'"$OWED"'"}' > repay.json
npx node sign.mjs send repay.json
get /credit | field .wallet.pledgedShares.display`,
        prints: `approve: 0xc6379df46be716f560b1fdb972e1bd004fe2ba72b720063e764fb8619ffc1d82
repay: 0x32207fa10bb2297ce4f5bfb7032bd425501b3f6490e454b33ad2bb356ec44319
0`,
        refusals: [onCode('invalid_request', 'the wallet has less than it owes. Withdraw some of the account first.')],
      },
      {
        title: 'Come home',
        words: html`The position names each place with money of yours, and the way home from it. The block empties them in turn: what you lent as a lender, the shares of the pool, what the operator lent, and the account.
<code>recall</code> ends the consent first.`,
        code: `${SHOW_PLACES}
SHARES=$(get /credit | field .wallet.availableLenderShares.raw)
if [ "$SHARES" != 0 ]; then
  post /credit/transactions '{"direction": "withdraw", "shares": "'"$SHARES"'"}' > home.json
  npx node sign.mjs send home.json
fi
SHARES=$(get /pool | field .wallet.availableShares.raw)
post /pool/transactions '{"direction": "withdraw", "shares": "'"$SHARES"'"}' > home.json
npx node sign.mjs send home.json
agent-work recall --yes
ALL=$(agent-work account --json | field '.withdrawable.${asset}.display')
agent-work withdraw "$ALL" --yes
${SHOW_PLACES}`,
        prints: `available: 2
strategy: 3
pool_shares: ${UNITS.pool}
credit_shares: ${UNITS.lend}
wallet: ${UNITS.all}`,
        refusals: [
          onCode('invalid_request', 'a pool has lent what you ask for. The details name what it pays now: take that, and the rest later.'),
          html`A place is left: its <code>nextActions</code> in <code>get /account/position</code> lead home. More at ${subjectLink('Account')}.`,
        ],
      },
    ],
    next: [
      ['/docs/pool', 'Pool', 'Every operation on the deposit pool.'],
      ['/docs/credit', 'Credit', 'Every operation on loans.'],
      ['/docs/locked-deposits', 'Locked deposits', 'Tiers, terms and exits.'],
    ],
  }
}
