// The base of the image where no registry of images can be reached: Debian by mmdebstrap, Node and npm from their packages.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programCache, type Say } from '../download.ts'
import { assertThere, call, output } from './tools.ts'

const DEBIAN = 'bookworm'
/** The npm that the official image of this Node has. */
const NPM = '11.19.0'
const USER = 1000
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Archive of a minimal Debian; the first call makes it and keeps it in this user's cache. */
const debian = (say: Say): string => {
  const archive = join(programCache(), `${DEBIAN}.tar`)
  if (existsSync(archive)) return archive
  assertThere('mmdebstrap')
  say(`making a minimal Debian ${DEBIAN}; this takes minutes`)
  const part = `${archive}.${process.pid}.part`
  // Its format follows from the name, which a part does not have.
  call('mmdebstrap', ['--quiet', '--variant=minbase', '--include=ca-certificates', '--format=tar', DEBIAN, part])
  renameSync(part, archive)
  return archive
}

/** Folder with the package of npm, in `directory`. */
const npmPackage = (directory: string): string => {
  const archive = output('npm', ['pack', '--silent', `npm@${NPM}`, '--pack-destination', directory])
  call('tar', ['-xzf', join(directory, archive), '-C', directory])
  return join(directory, 'package')
}

const fill = (container: string, archive: string, directory: string): void => {
  output('buildah', ['add', '--quiet', container, archive, '/'])
  output('buildah', ['copy', '--quiet', '--chmod', '755', container, process.execPath, '/usr/local/bin/node'])
  output('buildah', ['copy', '--quiet', container, npmPackage(directory), '/usr/local/lib/node_modules/npm'])
  const root = output('buildah', ['mount', container])
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  output('chroot', [root, 'groupadd', '--gid', String(USER), 'node'])
  output('chroot', [root, 'useradd', '--uid', String(USER), '--gid', 'node', '--create-home', 'node'])
  output('buildah', ['umount', container])
  output('buildah', ['config', '--env', `PATH=${PATH}`, '--cmd', 'node', container])
}

/** Makes the image `name` unless buildah has it. The Node in it is the one that runs this command. */
export const makeBase = (name: string, say: Say): void => {
  if (spawnSync('buildah', ['inspect', '--type', 'image', name]).status === 0) return
  const version = process.versions.node
  if (!name.includes(`:${version}-`)) throw new Error(`the base ${name} is not of Node ${version}, which runs this command: npm ci`)
  const archive = debian(say)
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-base-'))
  const container = output('buildah', ['from', 'scratch'])
  try {
    say(`making the base ${name}`)
    fill(container, archive, directory)
    output('buildah', ['commit', '--quiet', '--format', 'docker', container, name])
  } finally {
    output('buildah', ['rm', container])
    rmSync(directory, { recursive: true, force: true })
  }
}
