import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Hex } from 'viem'
import { createEngineClient } from '../../../activities/temporal/client.ts'
import type { Answer } from '../../../client/src/types.ts'
import { POLL_SECONDS } from '../../../domain/cross-chain/watch.ts'
import { crossChainProgress, crossChainWorkflowId, type WatchProgress } from '../../../schemas/cross-chain/process.ts'
import { REQUEST_STATUSES } from '../../../schemas/cross-chain/record.ts'
import { createRemoteSide, LEG_FEE, type RemoteSide } from '../../chain/remote-side.ts'
import { engineOf, withConnection } from '../../temporal/start.ts'
import { moveTime } from '../../time/move.ts'
import { money } from '../place.ts'
import { inAsset, type Saver } from '../savings/saver.ts'
import { readUntil } from '../worker.ts'

const REQUESTED_RAW = 5_000_000n

type Request = Answer<'getXcmRequest'>
type Watched = Extract<WatchProgress, { kind: 'watched' }>

/** Waits until the process watches the balance of a request. */
const watchOf = ({ info }: Saver, requestId: string): Promise<Watched> => {
  const engine = engineOf(parseEnv(readFileSync(info.serviceEnv, 'utf8')))
  return withConnection(engine.connection, (connection) => {
    const process = createEngineClient(connection, engine).workflow.getHandle(crossChainWorkflowId(requestId))
    return readUntil(`balance that the process of ${requestId} watches`, async () => {
      const progress = await process.query(crossChainProgress).catch(() => null)
      return progress?.kind === 'watched' ? progress : undefined
    })
  })
}

const ended = ({ worker }: Saver, requestId: string): Promise<Request> =>
  readUntil(`end of the request ${requestId}`, async () => {
    const request = await worker.client.getXcmRequest({ requestId })
    return request.statusLabel === 'pending' ? undefined : request
  })

/** Compares the answer of the service with the wrapper. */
const compare = async (saver: Saver, remote: RemoteSide, title: string, answer: Request): Promise<void> => {
  const stored = await remote.request(answer.requestId as Hex)
  saver.comparison.show(title, [
    inAsset(saver, 'requested', { raw: answer.requestedAssetsRaw }, stored.context.assets),
    inAsset(saver, 'settled', { raw: answer.settledAssetsRaw }, stored.settledAssets),
    inAsset(saver, 'settled shares', { raw: answer.settledSharesRaw }, stored.settledShares),
  ])
  const status = REQUEST_STATUSES[stored.status]
  if (answer.statusLabel !== status) throw new Error(`the request is ${answer.statusLabel} by the service and ${status} on chain`)
}

const queue = (saver: Saver, remote: RemoteSide) =>
  saver.report.step(
    `a request to deposit ${money(saver, REQUESTED_RAW)} at the venue`,
    async () => {
      const requestId = await remote.deposit(saver.wallet, REQUESTED_RAW)
      return { requestId, watch: await watchOf(saver, requestId) }
    },
    ({ watch }) => `watched until ${watch.endsAt}`,
  )

const expectStatus = ({ statusLabel, failureCodeLabel }: Request, wanted: string, code: string | null): void => {
  if (statusLabel !== wanted || failureCodeLabel !== code) throw new Error(`the request is ${statusLabel} with code ${failureCodeLabel}`)
}

/** One request whose shares arrive, and one whose 15 minutes pass. Returns their ids. */
export const requestAcrossChains = async (saver: Saver): Promise<string[]> => {
  const remote = createRemoteSide(saver.chainFile, saver.info.rpcUrl)
  const arriving = await queue(saver, remote)
  const succeeded = await saver.report.step(
    `its shares arrive; time moves by ${POLL_SECONDS} s`,
    async () => {
      await remote.dispatchDeposit(arriving.requestId)
      await remote.sharesArrive(REQUESTED_RAW - LEG_FEE)
      await moveTime(saver.info, { plusSeconds: POLL_SECONDS })
      return ended(saver, arriving.requestId)
    },
    ({ statusLabel }) => statusLabel,
  )
  expectStatus(succeeded, 'succeeded', null)
  await compare(saver, remote, 'the request that arrived', succeeded)
  const lost = await queue(saver, remote)
  const failed = await saver.report.step(
    'nothing arrives; time moves by 15 minutes',
    async () => {
      await remote.dispatchDeposit(lost.requestId)
      await moveTime(saver.info, { instant: Date.parse(lost.watch.endsAt) })
      return ended(saver, lost.requestId)
    },
    ({ statusLabel, failureCodeLabel }) => `${statusLabel}: ${failureCodeLabel}`,
  )
  expectStatus(failed, 'failed', 'BALANCE_OBSERVATION_TIMEOUT')
  await compare(saver, remote, 'the request that did not', failed)
  return [arriving.requestId, lost.requestId]
}
