// The fleet of the crash runs: traps in every service, and one look at the workflow engine.
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { ensureCertificate } from '../../local/artefacts/certificate.ts'
import { startArtefacts } from '../../local/artefacts/server.ts'
import { codehostSettings, startCodehost } from '../../local/codehost/start.ts'
import { tail, writePrivate } from '../../local/files.ts'
import type { Child, Exit } from '../../local/processes.ts'
import { envLines } from '../../local/services.ts'
import type { Member } from '../support/fleet/fleet.ts'
import { openFleet } from '../support/fleet/world.ts'
import { catchUp, createCalendar, overtake } from './acts/calendar.ts'
import { giveRolesElsewhere } from './acts/elsewhere.ts'
import { createKeyring } from './acts/keyring.ts'
import { layTraps, markUp } from './trap.ts'

const PRELOAD = new URL('./preload.ts', import.meta.url)

const trapsIn = (dir: string): string => join(dir, 'traps')

/** Address of the module for one service. It is loaded before anything else of that service. */
const preload = ({ name, dir }: { name: string; dir: string }): string => {
  const address = new URL(PRELOAD)
  address.searchParams.set('dir', trapsIn(dir))
  address.searchParams.set('name', name)
  return address.href
}

/** A host of the artefacts that paid runs verify, and the settings with which services reach it. */
const openArtefacts = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'crash-artefacts-'))
  const artefactsCertificate = join(directory, 'artefacts.pem')
  const certificate = ensureCertificate(artefactsCertificate)
  const authority = join(directory, 'authority.pem')
  writePrivate(authority, new X509Certificate(readFileSync(artefactsCertificate)).toString())
  const host = await startArtefacts({ certificate })
  return {
    place: { artefacts: host.url, artefactsCertificate },
    env: { LOCAL_CALLER_HOSTS: host.host, NODE_EXTRA_CA_CERTS: authority },
    stop: async (): Promise<void> => {
      await host.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

export type CrashWorld = Awaited<ReturnType<typeof openCrashWorld>>

/** Keeps what ended though the harness did not kill it; each is brought back, so that the others can go on. */
const createDeathWatch = (reportDeath: (death: string) => void, isBack: (member: Member) => void) => {
  const found: string[] = []
  let members: readonly Member[] = []

  const note = (death: string): void => {
    found.push(death)
    reportDeath(death)
  }

  /** Starts what is down; a start that fails is a fault like a death. */
  const bringBack = async (member: Member): Promise<void> => {
    try {
      await member.start()
      isBack(member)
    } catch (error) {
      note(`${member.name} does not come back: ${error instanceof Error ? error.message : error}`)
    }
  }

  const revive = (name: string): void => {
    const member = members.find((one) => one.name === name)
    if (member !== undefined && !member.isUp()) void bringBack(member)
  }

  return {
    watch: (opened: readonly Member[]): void => {
      members = opened
    },
    onDeath: (child: Child, { code, signal }: Exit): void => {
      note(`${child.name} ended by itself (${signal ?? `code ${code}`}); its log ends with:\n${tail(child.logFile)}`)
      revive(child.name)
    },
    bringBack,
    /** Every unexpected death after the first `from` of them. */
    deaths: (from = 0): readonly string[] => found.slice(from),
  }
}

export interface CrashWorldOptions {
  /** Runs at once when a process ends although the harness did not kill it. */
  onDeath?: (death: string) => void
}

/** Two APIs and two workers on one infrastructure. */
export const openCrashWorld = async ({ onDeath: reportDeath = () => undefined }: CrashWorldOptions = {}) => {
  const marked = (member: Member): void => markUp(traps, member.pid())
  const { watch, onDeath, bringBack, deaths } = createDeathWatch(reportDeath, marked)
  const [codehost, artefacts] = await Promise.all([startCodehost(), openArtefacts()])
  // The encyclopedia answers and has no page: a verifier run of a job that pins one has no verdict. A source may have so few jobs that a run has more.
  const env = { ...codehostSettings(codehost.url), ...artefacts.env, WIKIPEDIA_API_URL: `${codehost.url}/{language}`, INGEST_OPEN_CAP: '3' }
  const world = await openFleet({ apis: 2, workers: 2, env, preload, onDeath })
  await giveRolesElsewhere(world)
  const traps = trapsIn(world.dir)
  mkdirSync(traps)
  layTraps(traps, [])
  const connection = Connection.lazy({ address: world.temporalAddress })
  const parts: Member[] = [world.postgres, world.temporal, world.chain]
  const { withKeys, turnTo } = createKeyring()
  const [apis, workers] = [world.apis.map(withKeys), world.workers.map(withKeys)]
  const services: Member[] = [...apis, ...workers]
  services.forEach(marked)
  watch([...parts, ...services])
  const { rpcUrl, temporalAddress } = world
  const { chainFile, clockOffset: clockOffsetFile, serviceEnv } = world.files
  writePrivate(serviceEnv, envLines({ TEMPORAL_ADDRESS: temporalAddress }))
  const place = { rpcUrl, chainFile, clockOffsetFile, serviceEnv }
  const signIn = async (): Promise<void> => void (await Promise.all([world.admin.signInAgain(), world.verifier.signInAgain()]))
  return {
    ...world,
    apis,
    workers,
    traps,
    codehost,
    artefacts: artefacts.place,
    passTo: createCalendar(place, signIn),
    catchUp: () => catchUp(place),
    /** The chain alone is at an instant (epoch ms), until time passes there for everybody. */
    overtake: (instant: number) => overtake(place, instant),
    /** From now on the services hold the arbitrator's key, or none. */
    holdArbitrator: (isHeld: boolean) => turnTo(isHeld, services, bringBack),
    /** Both workers are away meanwhile. */
    withoutWorkers: async <T>(act: () => Promise<T>): Promise<T> => {
      await Promise.all(workers.map((worker) => worker.stop()))
      try {
        return await act()
      } finally {
        await Promise.all(workers.map(bringBack))
      }
    },
    bringBack,
    deaths,
    engine: new Client({ connection }),
    parts,
    services,
    close: async (how?: { isKept: boolean }) => {
      await connection.close()
      await world.close(how)
      await Promise.all([codehost.stop(), artefacts.stop()])
    },
  }
}
