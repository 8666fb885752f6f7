/** The package has no types; these are of what is used here. */
declare module '@usebruno/lang' {
  const bruno: {
    /** A request in the language of Bruno's files. */
    jsonToBruV2(request: object): string;
    /** A collection or a folder. */
    jsonToCollectionBru(collection: object): string;
    /** An environment. */
    envJsonToBruV2(environment: object): string;
  };
  export default bruno;
}
