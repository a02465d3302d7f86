// A part that throws, or waits for its data, does so in its own place; the rest of the page stays, and keeps the focus.
import { useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, Suspense, type ReactNode } from 'react'
import { Loading } from './loading.tsx'
import { ProblemBox } from './problem-box.tsx'

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error: error ?? new Error('unknown') }
  }

  override render(): ReactNode {
    if (this.state.error === undefined)
      return <Suspense fallback={<Loading rows={3} />}>{this.props.children}</Suspense>
    return <Failed error={this.state.error} onRetry={() => this.setState({ error: undefined })} />
  }
}

interface FailedProps {
  readonly error: unknown
  readonly onRetry: () => void
}

/** Trying again asks the console anew: it may be its answer that the part could not show. */
function Failed({ error, onRetry }: FailedProps) {
  const queries = useQueryClient()
  const { reset } = useQueryErrorResetBoundary()
  const retry = async () => {
    reset()
    // What only the part has asked for is forgotten with it.
    queries.removeQueries({ type: 'inactive' })
    await queries.refetchQueries({ type: 'active' })
    onRetry()
  }
  return <ProblemBox error={error} onRetry={() => void retry()} />
}
