/** Outcome of something that may fail in an expected way. */
export type Result<Value, Code extends string = string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: Code; readonly detail: string };

export function success<Value>(value: Value): Result<Value, never> {
  return { ok: true, value };
}

export function failure<Code extends string>(code: Code, detail: string): Result<never, Code> {
  return { ok: false, code, detail };
}

/** Continue with the value, or hand the failure on untouched. */
export function andThen<A, B, C extends string, D extends string>(
  result: Result<A, C>,
  next: (value: A) => Result<B, D>,
): Result<B, C | D> {
  return result.ok ? next(result.value) : result;
}

/** Turn a list of results into a result of a list; the first failure wins. */
export function collect<Value, Code extends string>(results: readonly Result<Value, Code>[]): Result<Value[], Code> {
  const values: Value[] = [];
  for (const result of results) {
    if (!result.ok) {
      return result;
    }
    values.push(result.value);
  }
  return success(values);
}

export function unwrap<Value>(result: Result<Value>): Value {
  if (!result.ok) {
    throw new Error(`unexpected ${result.code}: ${result.detail}`);
  }
  return result.value;
}
