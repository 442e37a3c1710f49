import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Say } from '../download.ts'
import { ROOT } from '../files.ts'
import { makeBase } from './base.ts'
import { call, type Tool } from './tools.ts'

/** What is built. */
interface BuildRequest {
  tool: Tool
  /** Name of the image with its tag. */
  image: string
  buildId: string
  /** In place of the base that the Dockerfile names. */
  base: string | undefined
  say: Say
}

/** Base that the Dockerfile names. */
const defaultBase = (): string => {
  const [, base] = /^ARG BASE=(\S+)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? []
  if (base === undefined) throw new Error('the Dockerfile names no base')
  return base
}

/** Name of an image as its full address, which buildah asks for. */
const fullName = (name: string): string => (name.includes('/') ? name : `docker.io/library/${name}`)

/** Lets npm inside a build trust what this machine trusts, such as the proxy of a company, by a configuration that no layer keeps. */
const trust = (directory: string): string[] => {
  const file = process.env.NODE_EXTRA_CA_CERTS
  if (!file) return []
  const configuration = join(directory, 'npmrc')
  writeFileSync(configuration, `cafile=${file}\n`)
  const mounts = [`${dirname(file)}:${dirname(file)}:ro`, `${configuration}:/usr/local/etc/npmrc:ro`]
  return mounts.flatMap((mount) => ['--volume', mount])
}

/** Builds the image. Without Docker and Podman buildah changes into the root of the image in place of a runtime. */
export const buildImage = ({ tool, image, buildId, base, say }: BuildRequest): void => {
  const args = ['--build-arg', `BUILD_ID=${buildId}`, '--tag', image]
  if (tool !== 'buildah') {
    call(tool, ['build', ...args, ...(base === undefined ? [] : ['--build-arg', `BASE=${base}`]), ROOT])
    return
  }
  const name = fullName(base ?? defaultBase())
  makeBase(name, say)
  // The format of OCI has no health check.
  const ways = ['--isolation', 'chroot', '--pull-never', '--layers', '--format', 'docker']
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-image-'))
  try {
    call('buildah', ['build', ...ways, ...trust(directory), ...args, '--build-arg', `BASE=${name}`, ROOT])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
