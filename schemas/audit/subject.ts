import { subject } from '../subject.ts'

export const audit = subject({ name: 'audit', kind: 'overview', buildsOn: [], entities: () => import('./entities.ts') })
