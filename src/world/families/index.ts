import { campus } from "./campus/campus.ts";
import type { Family, FamilyName } from "./family.ts";
import { house } from "./house.ts";
import { warehouse } from "./warehouse/warehouse.ts";

export { FAMILIES, type FamilyName, type World } from "./family.ts";

const BY_NAME: Readonly<Record<FamilyName, Family>> = { house, warehouse, campus };

export function familyOf(name: FamilyName): Family {
  return BY_NAME[name];
}
