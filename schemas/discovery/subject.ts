import { subject } from '../subject.ts'

export const discovery = subject({ name: 'discovery', kind: 'overview', buildsOn: ['health'], operations: () => import('./operations.ts') })
