import { subject } from '../subject.ts'

export const settlement = subject({ name: 'settlement', buildsOn: ['claims', 'receipts'], operations: () => import('./operations.ts') })
