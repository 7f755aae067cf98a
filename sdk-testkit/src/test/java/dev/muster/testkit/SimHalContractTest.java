package dev.muster.testkit;

class SimHalContractTest extends SimHalContract {}
