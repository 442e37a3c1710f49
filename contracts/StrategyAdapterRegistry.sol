// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {ITreasuryPolicy} from "./lib/Interfaces.sol";
import {IStrategyAdapter, StrategyMetadata} from "./lib/StrategyInterfaces.sol";

/// @title StrategyAdapterRegistry
/// @notice The list of approved yield-source adapters.
contract StrategyAdapterRegistry {
    event StrategyRegistered(
        bytes32 indexed strategyId, address indexed adapter, address indexed asset, string riskLabel
    );
    event StrategyStatusUpdated(bytes32 indexed strategyId, bool active);

    error Unauthorized();
    error StrategyNotApproved();

    ITreasuryPolicy public immutable policy;
    /// @notice The raw record; use getStrategy to see a withdrawn approval.
    mapping(bytes32 strategyId => StrategyMetadata) public strategies;
    bytes32[] private _ids;

    modifier onlyOwner() {
        if (msg.sender != policy.owner()) revert Unauthorized();
        _;
    }

    constructor(address policy_) {
        policy = ITreasuryPolicy(policy_);
    }

    /// @notice Registers an approved adapter under its own id; an id is never pointed at another adapter.
    function registerStrategy(address adapter) external onlyOwner {
        address asset = IStrategyAdapter(adapter).asset();
        if (!policy.approvedStrategies(adapter) || !policy.approvedAssets(asset)) revert StrategyNotApproved();
        bytes32 strategyId = IStrategyAdapter(adapter).strategyId();
        address known = strategies[strategyId].adapter;
        if (known != address(0) && known != adapter) revert StrategyNotApproved();
        if (known == address(0)) _ids.push(strategyId);
        string memory riskLabel = IStrategyAdapter(adapter).riskLabel();
        strategies[strategyId] = StrategyMetadata(strategyId, adapter, asset, riskLabel, true);
        emit StrategyRegistered(strategyId, adapter, asset, riskLabel);
    }

    /// @notice Switches a registered yield source on or off.
    function setStrategyActive(bytes32 strategyId, bool active) external onlyOwner {
        if (strategies[strategyId].adapter == address(0)) revert StrategyNotApproved();
        strategies[strategyId].active = active;
        emit StrategyStatusUpdated(strategyId, active);
    }

    /// @notice The record of a yield source; inactive when the policy withdrew the adapter.
    function getStrategy(bytes32 strategyId) external view returns (StrategyMetadata memory) {
        StrategyMetadata memory strategy = strategies[strategyId];
        if (strategy.active && !policy.approvedStrategies(strategy.adapter)) strategy.active = false;
        return strategy;
    }

    /// @notice All ids in the order of registration.
    function listStrategyIds() external view returns (bytes32[] memory) {
        return _ids;
    }
}
