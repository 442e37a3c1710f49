import { sql } from 'kysely'
import { storeReading } from '../../activities/catalogue/reward-bank.ts'
import { openDatabase } from '../../activities/database/database.ts'
import { meetVerdictNeeds } from '../support/records/verdict-needs.ts'
import { fillCatalogue } from './catalogue/bulk.ts'
import { openClaimPath } from './claim-path.ts'
import { inTurns, median, ratio } from './figures.ts'
import { addHistory } from './history.ts'
import { fetchBytes, requestsPerSecond, responseMs } from './load/http.ts'
import { openPlace, type Place } from './place.ts'

/** What the catalogue costs at size. Ratios are of one run; times in milliseconds, rates in requests per second. */
export interface CatalogueFigures {
  /** Rate of `GET /jobs?limit=50` over 1,000 jobs by the rate of a bare server that sends the same bytes. Target: 0.58 at least. */
  jobsListRatio: number
  /** Time of `GET /jobs?limit=50` over 100,000 jobs by the time over 1,000. Target: 1.15 at most. */
  jobsListGrowth: number
  /** The same for the first request after a change, over several filters and far down the list. */
  jobsListColdGrowth: number
  /** Time of a claim on the database over 100,000 jobs by the time over 1,000. Target: 1.2 at most. */
  claimGrowth: number
  bareRate: number
  smallRate: number
  largeRate: number
  smallReadMs: number
  largeReadMs: number
  smallColdMs: number
  largeColdMs: number
  smallClaimMs: number
  largeClaimMs: number
  fillSeconds: number
  pageBytes: number
}

const PAGE = '/jobs?limit=50'
const LOAD = { connections: 16, milliseconds: 300 }
const LOAD_ROUNDS = 20
const READ_ROUNDS = 600
const COLD_ROUNDS = 24
const CLAIM_ROUNDS = 150
const WARM_ROUNDS = 20

/** A reading of a bank that can pay for every job. */
export const BANK = {
  asset: 'USDC',
  liquidRaw: 10n ** 15n,
  posterFeeBps: 0,
  posterFeeFloorRaw: 0n,
  stakeBps: 1_000,
  feeBps: 200,
  minFeeRaw: 50_000n,
}

/** A database with so many jobs, one session to five of them, and a bank that can pay. */
const openCatalogue = async (place: Place, jobs: number) => {
  const url = await place.createDatabase(`jobs_${jobs}`)
  const now = Date.now()
  await fillCatalogue(url, { jobs, now })
  await addHistory(url, { sessions: jobs / 5, wallets: Math.ceil(jobs / 500), openIntents: 20, now })
  const database = openDatabase({ url, poolSize: 2 })
  await storeReading(database.rows, { ...BANK, blockNumber: 1n })
  await meetVerdictNeeds(database.rows)
  return { url, database, api: await place.startApi(url) }
}
type Catalogue = Awaited<ReturnType<typeof openCatalogue>>

/** Address of a page some hundred jobs down the list. */
const deepPages = async ({ api }: Catalogue): Promise<string> => {
  let path = '/jobs?limit=100'
  for (let page = 0; page < 5; page += 1) {
    const { nextCursor } = JSON.parse((await fetchBytes(api + path)).toString())
    path = `/jobs?limit=100&cursor=${nextCursor}`
  }
  return path
}

/** Time of the first answers after a change, one after the other. */
const coldRead = async (catalogue: Catalogue, paths: readonly string[]): Promise<number> => {
  await sql`update catalogue_version set version = version + 1`.execute(catalogue.database.rows)
  let total = 0
  for (const path of paths) total += await responseMs(catalogue.api + path)
  return total
}

const coldPaths = async (catalogue: Catalogue): Promise<string[]> => [
  PAGE,
  `${PAGE}&format=compact`,
  `${PAGE}&category=coding`,
  `${PAGE}&tier=starter&verifierMode=benchmark`,
  `${PAGE}&source=wikipedia`,
  `${PAGE}&state=claimable`,
  await deepPages(catalogue),
]

const measureLists = async (place: Place, small: Catalogue, large: Catalogue) => {
  const bytes = await fetchBytes(small.api + PAGE)
  const bare = await place.startBare(bytes)
  const rateOf = (base: string) => () => requestsPerSecond(base + PAGE, LOAD)
  const servers = { bare: rateOf(bare), small: rateOf(small.api), large: rateOf(large.api) }
  await inTurns(3, servers)
  const rates = await inTurns(LOAD_ROUNDS, servers)
  const reads = await inTurns(READ_ROUNDS, { small: () => responseMs(small.api + PAGE), large: () => responseMs(large.api + PAGE) })
  const [smallPaths, largePaths] = await Promise.all([coldPaths(small), coldPaths(large)])
  const cold = await inTurns(COLD_ROUNDS, { small: () => coldRead(small, smallPaths), large: () => coldRead(large, largePaths) })
  return { pageBytes: bytes.length, rates, reads, cold }
}

const measureClaims = async (place: Place, small: Catalogue, large: Catalogue) => {
  const open = ({ url }: Catalogue) => openClaimPath(place.settings(url), WARM_ROUNDS + CLAIM_ROUNDS + 1)
  const [onSmall, onLarge] = await Promise.all([open(small), open(large)])
  const claims = { small: onSmall.claim, large: onLarge.claim }
  await inTurns(WARM_ROUNDS, claims)
  const times = await inTurns(CLAIM_ROUNDS, claims)
  await Promise.all([onSmall.close(), onLarge.close()])
  return times
}

const measure = async (place: Place): Promise<CatalogueFigures> => {
  const small = await openCatalogue(place, 1_000)
  const began = performance.now()
  const large = await openCatalogue(place, 100_000)
  const fillSeconds = (performance.now() - began) / 1000
  const { rates, reads, cold, pageBytes } = await measureLists(place, small, large)
  const claims = await measureClaims(place, small, large)
  await Promise.all([small.database.close(), large.database.close()])
  return {
    jobsListRatio: ratio(rates.small, rates.bare),
    jobsListGrowth: median(reads.large) / median(reads.small),
    jobsListColdGrowth: median(cold.large) / median(cold.small),
    claimGrowth: median(claims.large) / median(claims.small),
    bareRate: median(rates.bare),
    smallRate: median(rates.small),
    largeRate: median(rates.large),
    smallReadMs: median(reads.small),
    largeReadMs: median(reads.large),
    smallColdMs: median(cold.small),
    largeColdMs: median(cold.large),
    smallClaimMs: median(claims.small),
    largeClaimMs: median(claims.large),
    fillSeconds,
    pageBytes,
  }
}

/** Measures the catalogue with 1,000 and with 100,000 jobs on its own database, chain and API processes; about two minutes on two cores. */
export const benchJobsList = async (): Promise<CatalogueFigures> => {
  const place = await openPlace()
  try {
    return await measure(place)
  } finally {
    await place.stop()
  }
}

if (import.meta.main)
  for (const [name, value] of Object.entries(await benchJobsList())) console.log(`${name.padEnd(20)} ${value.toFixed(3)}`)
