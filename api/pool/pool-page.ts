import { type Html, html } from '../../pages/html.ts'
import { commands, factTable, figures, identifier, instant, state, type Tone } from '../../pages/parts.ts'
import type { Answer } from '../../schemas/operations/operation.ts'
import type { getPool } from '../../schemas/pool/operations.ts'
import { money } from '../http/pages/money.ts'
import { page } from '../http/pages/page.ts'

type Body = Answer<typeof getPool>['body']
type Pool = Extract<Body, { available: true }>
type Wallet = NonNullable<Pool['wallet']>
type Amount = Pool['totalAssets']
/** An amount in whole units with its asset. */
type InUnits = (amount: Amount) => string

const ANSWER = '/pool'
const TITLE = 'Deposit pool'

const UNAVAILABLE: Readonly<Record<Extract<Body, { available: false }>['reason'], readonly [words: string, tone: Tone, next: string]>> = {
  deposit_pool_not_configured: ['None here', 'off', 'The chain of this service has no deposit pool, so nothing can be deposited.'],
  chain_backend_required: [
    'Not readable',
    'warn',
    'The service has no connection to the chain. Deposits are not affected; try again later.',
  ],
  pool_read_failed: ['Not readable now', 'warn', 'The chain did not answer. Deposits are not affected; try again in a minute.'],
}

const unavailablePage = (reason: Extract<Body, { available: false }>['reason']): string => {
  const [words, tone, next] = UNAVAILABLE[reason]
  return page(
    { title: TITLE, lead: 'A common balance of which each depositor holds shares.', answer: ANSWER },
    html`<p>${state(words, tone)}</p>
<p>${next} <a href="/health">State of the service</a>.</p>`,
  )
}

const unitsOf =
  (asset: string): InUnits =>
  ({ raw, decimals }) =>
    money({ amount: raw, decimals, asset })

const vestingOf = ({ vesting }: Wallet, inAsset: InUnits): string =>
  vesting.available ? `${inAsset(vesting.unvested)} still vest` : 'Not readable now; nothing counts as vested'

const walletFacts = (wallet: Wallet, inAsset: InUnits, inShares: InUnits): Html => html`<h2>Your wallet</h2>
${factTable([
  ['Wallet', identifier(wallet.address)],
  ['Value of its shares', inAsset(wallet.depositedAssets)],
  ['Shares', inShares(wallet.shares)],
  ['Neither locked nor pledged', inShares(wallet.availableShares)],
  ['Vested', `${inAsset(wallet.vestedAssets)}; ${vestingOf(wallet, inAsset)}`],
  ['Outside the pool', inAsset(wallet.assetBalance)],
  ['Can still be deposited', inAsset(wallet.perAgentHeadroom)],
  ['Open work at most', inAsset(wallet.openExposureCap)],
  ['Largest external reward', inAsset(wallet.externalRewardCeiling)],
])}`

const figuresOf = (pool: Pool, inAsset: InUnits): Html =>
  figures([
    [inAsset(pool.sharePrice.assetsPerShare), 'for one share'],
    [inAsset(pool.totalAssets), 'all shares together'],
    [inAsset(pool.bufferAssets), 'can be paid out at once'],
    [inAsset(pool.caps.poolHeadroom), 'can still be deposited'],
  ])

const poolFacts = (pool: Pool, inAsset: InUnits, inShares: InUnits): Html =>
  factTable([
    ['Shares', inShares(pool.totalShares)],
    ['Cap of the pool', inAsset(pool.caps.totalAssetCap)],
    ['Cap of one wallet', inAsset(pool.caps.perAgentAssetCap)],
    ['Contract of the pool', identifier(pool.pool)],
    [`Contract of ${pool.asset.symbol}`, identifier(pool.asset.address)],
    ['Read at', html`block ${pool.block.number} of chain ${pool.chainId}, ${instant(pool.block.timestampIso)}`],
  ])

const depositing = (decimals: number, symbol: string, baseUrl: string): Html => html`<h2>Deposit</h2>
<p>The service builds the transactions and your wallet signs and sends them. For 1 ${symbol}, with the token of a sign-in:</p>
${commands(`curl -s -X POST ${baseUrl}/pool/transactions -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"direction":"deposit","amount":"${10n ** BigInt(decimals)}"}'`)}
<p><a href="/docs/sign-in">How to sign in</a>.</p>`

/** Page of the deposit pool. */
export const poolPage = (body: Body, baseUrl: string): string => {
  if (!body.available) return unavailablePage(body.reason)
  const { asset, units, wallet } = body
  const [inAsset, inShares] = [unitsOf(asset.symbol), unitsOf(units.shares.symbol)]
  return page(
    { title: TITLE, lead: `A common balance in ${asset.symbol} of which each depositor holds shares.`, answer: ANSWER },
    html`<p>${body.yieldStatus === 'earning' ? state('Earning', 'good') : state('Not earning yet', 'off')}</p>
<p class="note">${body.disclosure.statement}</p>
${figuresOf(body, inAsset)}
${wallet === undefined ? '' : walletFacts(wallet, inAsset, inShares)}
<h2>What a deposit does</h2>
<ul><li>${body.yieldStatusText}</li><li>${body.capitalSignal.statement}</li><li>${body.withdrawal.note}</li></ul>
${depositing(asset.decimals, asset.symbol, baseUrl)}
<h2>The pool</h2>
${poolFacts(body, inAsset, inShares)}`,
  )
}
