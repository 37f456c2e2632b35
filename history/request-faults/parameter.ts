import { isOpen } from "../../spec/levels.ts";
import type { Parameter, Spec } from "../../spec/model/spec.ts";
import { type Keyword, mostTelling } from "../../spec/schema/keywords.ts";
import { parameterFaults } from "../../spec/schema/parameter-value.ts";

/** Returns a broken keyword, if possible not one of a NOTE. */
export function brokenKeyword(
  { schemas, requirements }: Spec,
  parameter: Parameter,
  text: string,
): Keyword | undefined {
  const isRequired = (keyword: Keyword) => !isOpen({ requirements }, parameter.requirements[keyword]);
  const broken = parameterFaults(schemas, parameter.schema, text).map(({ keyword }) => keyword);
  return mostTelling(broken.filter(isRequired)) ?? mostTelling(broken);
}
